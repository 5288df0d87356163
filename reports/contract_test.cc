// What the manual promises about each format, apart from its exact bytes.

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "reports/read_report.h"
#include "reports/report_text.h"
#include "reports/sample_report.h"
#include "reports/text.h"
#include "reports/writer.h"
#include "reports/xml_check.h"

namespace plumbline::reports {
namespace {

using Keys = std::vector<std::string>;

// keys_of returns the keys of an object of JSON text in the order in which they stand there.
Keys keys_of(std::string_view text) {
  Keys keys;
  int depth = 0;
  std::string last;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c == ':' && depth == 1) keys.push_back(last);
    if (c != '"') continue;
    const std::size_t start = ++at;
    while (text[at] != '"') at += text[at] == '\\' ? 2 : 1;
    last = text.substr(start, at - start);
  }
  return keys;
}

std::string line_with(std::string_view text, std::string_view part) {
  const std::size_t at = text.find(part);
  const std::size_t start = text.rfind('\n', at) + 1;
  return std::string(text.substr(start, text.find('\n', at) - start));
}

TEST(JsonReportTest, HasTheKeysOfTheManualInItsOrder) {
  const std::string text = write_json(odd_report());
  EXPECT_EQ(keys_of(text),
            (Keys{"plumbline", "report", "command", "target", "revision", "seed", "started",
                  "duration_ms", "summary", "conformance", "to_mend", "results"}));
  EXPECT_EQ(keys_of(line_with(text, "lifecycle.version-negotiation")),
            (Keys{"id", "verdict", "level", "area", "revision", "transport", "title", "message",
                  "spec", "evidence", "reproduce", "duration_ms"}));
  const std::string summary = line_with(text, "\"summary\"");
  EXPECT_EQ(keys_of(summary.substr(summary.find('{'))),
            (Keys{"pass", "fail", "warn", "skip", "inconclusive", "xfail"}));
}

TEST(JsonReportTest, ParsesBackToWhatWasReported) {
  const Report report = odd_report();
  const Result<Json> parsed = parse_json(write_json(report));
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  const Json& json = parsed.value();
  EXPECT_EQ(json.at("target"), report.target);
  EXPECT_EQ(json.at("seed"), report.seed);
  EXPECT_EQ(json.at("duration_ms"), 61'812.25);
  EXPECT_EQ(json.at("summary").at("xfail"), 1);
  ASSERT_EQ(json.at("results").size(), report.results.size());
  const Json& fail = json.at("results").at(1);
  EXPECT_EQ(fail.at("verdict"), "fail");
  EXPECT_EQ(fail.at("evidence").at(1).at("dir"), "<-");
  EXPECT_EQ(fail.at("evidence").at(1).at("message"), report.results[1].evidence[1].message);
  EXPECT_EQ(fail.at("evidence").at(1).at("judged"), true);
  EXPECT_EQ(fail.at("evidence").at(1).size(), 4U);
}

TEST(JsonReportTest, OfNothingIsStillADocument) {
  const Result<Json> parsed = parse_json(write_json(Report{}));
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed.value().at("results"), Json::array());
  EXPECT_EQ(parsed.value().at("target"), nullptr);
}

TEST(JUnitTest, IsWellFormed) {
  EXPECT_EQ(XmlCheck(write_junit(odd_report())).error(), "");
  EXPECT_EQ(XmlCheck(write_junit(Report{})).error(), "");
}

TEST(JUnitTest, TheCheckSeesWhatIsNotWellFormed) {
  for (const char* bad :
       {"<a>", "<a></b>", "<a/><b/>", "<a b=\"\x01\"/>", "<a>&x;</a>", "<a>]]></a>",
        "<a b=\"1\" b=\"2\"/>", "<a b=\"<\"/>", "<a b='1'/>", "", "<a/>x"}) {
    EXPECT_NE(XmlCheck(bad).error(), "") << bad;
  }
  EXPECT_EQ(XmlCheck("<?xml version=\"1.0\"?>\n<a b=\"&lt;\">&amp;<c/></a>\n").error(), "");
}

TEST(ConsoleTest, NoLineIsWiderThanTheTerminalButHeadingCommandAndUrls) {
  for (const std::size_t columns : {60U, 80U, 100U, 200U}) {
    Report scenarios = odd_report();
    scenarios.command = "run";
    for (const Report& report : {odd_report(), scenarios, long_report(50)}) {
      std::istringstream text(write_console(report, {.verbose = true, .columns = columns}));
      for (std::string line; std::getline(text, line);) {
        const bool url = line.starts_with("  https:") && line.find(' ', 2) == std::string::npos;
        const bool command = line.starts_with("  reproduce: ") || line.starts_with("plumbline ");
        if (url || command || text.peek() == EOF) continue;
        EXPECT_LE(width_of(line), columns) << line;
      }
    }
  }
}

TEST(ConsoleTest, WhatCameOfAScenarioIsShownWhereThatIsWanted) {
  Report report = long_report(1);
  report.results[0].outcome =
      parse_json(R"({"effects": {}, "requests": {"a": 1, "b": 2}, "status": "ok", "errors": 0})")
          .value();
  EXPECT_NE(
      write_console(report, {.outcome = true})
          .find(report.results[0].id + " came to\n  status           ok\n  effects          none\n"
                                       "  errors           0\n  requests         a 1, b 2\n"),
      std::string::npos);
  EXPECT_EQ(write_console(report, {}).find("came to"), std::string::npos);
  EXPECT_EQ(read_report(write_json(report)).value().results[0].outcome, report.results[0].outcome);
}

TEST(ConsoleTest, TheReproducingCommandIsWholeOnOneLine) {
  const Report report = odd_report();
  const std::string text = write_console(report, {.verbose = true, .columns = 0});
  EXPECT_NE(text.find("reproduce: " + report.results[1].reproduce + "\n"), std::string::npos);
}

TEST(ConsoleTest, ColourIsOnlyAddedNeverNeeded) {
  std::string colored = write_console(odd_report(), {.color = true});
  std::string plain;
  for (std::size_t at = 0; at < colored.size(); ++at) {
    if (colored[at] == '\x1b') {
      at = colored.find('m', at);
    } else {
      plain += colored[at];
    }
  }
  EXPECT_EQ(plain, write_console(odd_report(), {}));
}

TEST(ConsoleTest, OfChecksFailuresComeFirstAndSkipsAreOnlyCounted) {
  Report report = odd_report();
  std::ranges::reverse(report.results);
  const std::string text = write_console(report, {});
  const std::size_t fail = text.find("\nFAIL lifecycle.version-negotiation");
  EXPECT_LT(fail, text.find("\ninconclusive "));
  EXPECT_LT(text.find("\ninconclusive "), text.find("\nwarn tools.list_changed: no notification"));
  EXPECT_EQ(text.find("tools.pagination"), std::string::npos);
  EXPECT_EQ(text.find("FAIL  check server: http"), 0U) << "the verdict first";
  EXPECT_NE(text.find("\n1 check did not apply; -v shows what was sent"), std::string::npos);
  EXPECT_NE(text.find("\nFAIL  1 failure is yours to mend, 1 excused; 1 warning; 1 inconclusive; "),
            std::string::npos);
  const std::string verbose = write_console(report, {.verbose = true});
  EXPECT_NE(verbose.find("the server has | one page"), std::string::npos);
}

TEST(ConsoleTest, OneFailureOfSeveralVariantsIsToldOnce) {
  Report report = odd_heading();
  report.results = {odd_fail(), odd_fail()};
  report.results[1].transport = "http";
  const std::string text = write_console(report, {});
  const char* const heading =
      "\nFAIL lifecycle.version-negotiation  2025-11-25 over http, stdio: initialize\n";
  EXPECT_NE(text.find(heading), std::string::npos) << text;
  EXPECT_EQ(text.find("\nFAIL ", text.find("\nFAIL ") + 1), text.find("\nFAIL  1 failure is"));
}

TEST(ConsoleTest, WhatCannotTellInSeveralRevisionsIsNamedOnce) {
  Report report = odd_heading();
  for (const char* const revision : {"2025-11-25", "2026-07-28"}) {
    CheckResult row = odd_pass();
    row.verdict = Verdict::kInconclusive;
    row.revision = revision;
    row.message = "no progress came";
    report.results.push_back(row);
  }
  const std::string text = write_console(report, {});
  EXPECT_NE(text.find("\ninconclusive lifecycle.initialize-first\n  no progress came\n"),
            std::string::npos)
      << text;
}

TEST(ConsoleTest, WhereNothingRanOrAppliedNothingPassed) {
  for (const char* const command : {"run", "check server"}) {
    Report report;
    report.command = command;
    const std::string nothing = write_console(report, {});
    EXPECT_NE(nothing.find("\ninconclusive  "), std::string::npos) << nothing;
    EXPECT_NE(nothing.find("othing ran, so nothing is known"), std::string::npos) << nothing;
    report.results.push_back(odd_pass());
    report.results.back().verdict = Verdict::kSkip;
    EXPECT_NE(write_console(report, {}).find("\nskip  "), std::string::npos);
    EXPECT_EQ(write_console(report, {}).find("\npass  "), std::string::npos);
  }
}

TEST(ConsoleTest, UrlsAndCommandsStayWhole) {
  Report report = odd_heading();
  report.results = {odd_fail()};
  const std::string url = "http://127.0.0.1:3000/" + std::string(200, 'x');
  const std::string command = "plumbline run a/long/path/of/a/scenario.json --seed 17";
  report.results[0].message = "expected " + url + " to be told\nby itself: " + command;
  report.target = Json({{"url", url}});
  const std::string text = write_console(report, {.verbose = true, .columns = 60});
  EXPECT_NE(text.find("\n  " + url + "\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  by itself: " + command + "\n"), std::string::npos) << text;
  EXPECT_NE(text.substr(0, text.find('\n')).find(url), std::string::npos) << text;
}

// A runner reads commands from the output of a step: at the start of a line, but for blanks.
TEST(ConsoleTest, NoLineOfAPeerIsACommandToARunner) {
  Report report = odd_heading();
  report.results = {odd_fail()};
  report.results[0].message = "said\n::stop-commands::x\n  ::error::y\r::set-env::z ##[error]w";
  for (const bool verbose : {false, true}) {
    report.command = verbose ? "check server" : "run";
    const std::string text = write_console(report, {.verbose = verbose});
    EXPECT_NE(text.find("\n  : :stop-commands::x\n"), std::string::npos) << text;
    EXPECT_NE(text.find(": :error::y"), std::string::npos) << text;
    EXPECT_EQ(text.find("##["), std::string::npos) << text;
    EXPECT_EQ(text.find('\r'), std::string::npos) << text;
  }
}

TEST(MarkdownTest, EveryTableRowHasSixCells) {
  Report report = odd_report();
  report.command = "run";
  std::istringstream text(write_markdown(report));
  int rows = 0;
  for (std::string line; std::getline(text, line);) {
    if (line.rfind("| ", 0) != 0) continue;
    ++rows;
    int bars = 0;
    for (std::size_t at = 0; at < line.size(); ++at) {
      if (line[at] == '\\') {
        ++at;
      } else if (line[at] == '|') {
        ++bars;
      }
    }
    EXPECT_EQ(bars, 7) << line;
  }
  EXPECT_EQ(rows, 7);
}

TEST(MarkdownTest, AFenceIsLongerThanAnyRunInside) {
  Report report = odd_report();
  report.command = "run";
  EXPECT_NE(write_markdown(report).find("\n`````\nasked for"), std::string::npos);
}

TEST(FormatsTest, AreFoundByName) {
  for (const Format& format : formats()) {
    ASSERT_EQ(find_format(format.name), &format);
    EXPECT_NE(format.write(odd_report()), "");
  }
  EXPECT_EQ(find_format("xml"), nullptr);
  EXPECT_EQ(find_format(""), nullptr);
}

}  // namespace
}  // namespace plumbline::reports
