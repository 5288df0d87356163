// What sarif, tap, github, badge and html promise, apart from their exact bytes.

#include <map>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "reports/answers/headline.h"
#include "reports/beside.h"
#include "reports/report_text.h"
#include "reports/sample_report.h"
#include "reports/spec_link.h"
#include "reports/text.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

Json parsed(const std::string& text) {
  Result<Json> json = parse_json(text);
  if (json.ok()) return std::move(json).value();
  ADD_FAILURE() << json.error().message << "\n" << text;
  return nullptr;
}

// Links ---------------------------------------------------------------------------------------

TEST(SpecLinkTest, NamesTheRevisionOfTheResultOrElseOfTheReport) {
  Report report;
  CheckResult result = odd_pass();
  EXPECT_EQ(spec_link(result, report),
            "https://modelcontextprotocol.io/specification/2025-11-25/basic/"
            "lifecycle#initialization");
  result.revision.clear();
  EXPECT_NE(spec_link(result, report).find("/latest/basic"), std::string::npos);
  report.revision = "2026-07-28";
  EXPECT_NE(spec_link(result, report).find("/2026-07-28/basic"), std::string::npos);
  const std::string site = "https://modelcontextprotocol.io/";
  result.spec = "../../docs/2025-11-25/learn/versioning#negotiation";
  EXPECT_EQ(spec_link(result, report), site + "docs/2025-11-25/learn/versioning#negotiation");
  result.spec = "2025-03-26/basic/index#batching";
  EXPECT_EQ(spec_link(result, report), site + "specification/2025-03-26/basic/index#batching");
  result.spec = "seps/2663-tasks-extension#tasks";
  EXPECT_EQ(spec_link(result, report), site + "seps/2663-tasks-extension#tasks");
  result.spec = "https://example.com/a\"<b>";
  EXPECT_EQ(spec_link(result, report), "https://example.com/a%22%3Cb%3E");
  result.spec = "javascript:alert(1)";
  EXPECT_TRUE(spec_link(result, report).starts_with("https://modelcontextprotocol.io/"));
  result.spec.clear();
  EXPECT_EQ(spec_link(result, report), "");
}

// SARIF ---------------------------------------------------------------------------------------

TEST(SarifTest, HasOneRunWithARuleForEveryAlert) {
  const Json document = parsed(write_sarif(odd_report()));
  EXPECT_EQ(document["version"], "2.1.0");
  ASSERT_EQ(document["runs"].size(), 1U);
  const Json& driver = document["runs"][0]["tool"]["driver"];
  EXPECT_EQ(driver["name"], "plumbline");
  std::set<std::string> ids;
  for (const Json& rule : driver["rules"]) {
    EXPECT_TRUE(ids.insert(rule["id"]).second) << rule["id"];
    for (const char* text : {"shortDescription", "fullDescription", "help"}) {
      EXPECT_NE(rule[text]["text"], "") << text;
    }
    EXPECT_NE(rule["help"]["markdown"], "");
  }
  EXPECT_EQ(ids.size(), document["runs"][0]["results"].size()) << "what passes is no alert";
}

// Goal: what the schema of SARIF and code scanning ask of each result, over every verdict.
TEST(SarifTest, EveryAlertIsWhole) {
  Report report = odd_report();
  report.results[1].message += " [a link](https://example.com)";
  const Json document = parsed(write_sarif(report));
  const Json& run = document["runs"][0];
  std::map<std::string, int> levels;
  for (const Json& alert : run["results"]) {
    const Json& rule = run["tool"]["driver"]["rules"].at(alert["ruleIndex"].get<std::size_t>());
    EXPECT_EQ(rule["id"], alert["ruleId"]);
    EXPECT_NE(alert["message"]["text"], "");
    EXPECT_EQ(alert["message"]["text"].get<std::string>().find("]("), std::string::npos);
    ASSERT_EQ(alert["locations"].size(), 1U);
    const Json& place = alert["locations"][0]["physicalLocation"];
    EXPECT_NE(place["artifactLocation"]["uri"], "");
    EXPECT_EQ(place["region"]["startLine"], 1);
    EXPECT_EQ(alert["partialFingerprints"]["plumbline/v1"].get<std::string>().size(), 16U);
    ++levels[alert["level"]];
    EXPECT_EQ(alert.contains("suppressions"), alert["ruleId"] == "lifecycle.known_bug");
  }
  EXPECT_EQ(levels, (std::map<std::string, int>{{"error", 2}, {"warning", 1}, {"note", 1}}));
}

TEST(SarifTest, AFingerprintTellsVariantsApartAndNothingElse) {
  const auto fingerprint = [](const CheckResult& result) {
    Report report;
    report.results = {result};
    return parsed(write_sarif(report))["runs"][0]["results"][0]["partialFingerprints"];
  };
  CheckResult result = odd_fail();
  const Json before = fingerprint(result);
  result.message = "another time";
  result.evidence.clear();
  EXPECT_EQ(fingerprint(result), before);
  result.transport = "http";
  EXPECT_NE(fingerprint(result), before);
}

TEST(SarifTest, AnAlertStandsAtTheConfigurationWhereOneIsInTheTree) {
  const auto place = [](const char* config) {
    Report report = odd_report();
    report.target = Json({{"config", config}});
    return parsed(write_sarif(report))["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
                                      ["artifactLocation"]["uri"];
  };
  EXPECT_EQ(place("ci/servers.json"), "ci/servers.json");
  EXPECT_EQ(place("/etc/servers.json"), "mcp-subject");
  EXPECT_EQ(place("../servers.json"), "mcp-subject");
  EXPECT_EQ(place("a b.json"), "a_b.json");
  Report report = odd_report();
  report.target[kShownAt] = "server/package.json";
  EXPECT_NE(write_sarif(report).find("\"uri\": \"server/package.json\""), std::string::npos);
  EXPECT_NE(write_github(report).find("::error file=server/package.json,line=1,title="),
            std::string::npos);
}

// TAP -----------------------------------------------------------------------------------------

TEST(TapTest, HasAPlanAndANumberedPointForEveryResult) {
  const std::string text = write_tap(odd_report());
  EXPECT_TRUE(text.starts_with("TAP version 14\n1..6\n")) << text;
  std::istringstream lines(text);
  std::size_t points = 0;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "  ---" || line == "  ...") {
      EXPECT_EQ(inside, line == "  ...");
      inside = !inside;
    }
    const bool ok = line.starts_with("ok ");
    if (!ok && !line.starts_with("not ok ")) continue;
    EXPECT_FALSE(inside) << line;
    ++points;
    EXPECT_TRUE(line.starts_with((ok ? "ok " : "not ok ") + std::to_string(points) + " - "))
        << line;
  }
  EXPECT_EQ(points, 6U);
  EXPECT_NE(text.find(" # TO"
                      "DO accepted in the baseline\n"),
            std::string::npos);
  EXPECT_NE(text.find(" # SKIP the server has | one page\n"), std::string::npos);
  EXPECT_NE(text.find("(x) \\# "), std::string::npos) << "a # of the title began a directive";
  EXPECT_TRUE(write_tap(Report{}).starts_with("TAP version 14\n1..0 # SKIP nothing ran\n"));
}

// GitHub --------------------------------------------------------------------------------------

TEST(GithubTest, OnlyOurCommandsStandAtTheStartOfALine) {
  Report report = odd_report();
  report.results[1].message = "a\n::error::b\r\n##[error]c %0A";
  report.results[1].title = "::set-output name=x::y ##[add-path]z";
  report.results[0].area = "::add-path::/tmp";
  std::istringstream lines(write_github(report));
  std::map<std::string, int> commands;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_EQ(line.find("##["), std::string::npos) << line;
    if (!line.starts_with("::")) continue;
    ++commands[line.substr(0, line.find_first_of(" :", 2))];
  }
  EXPECT_EQ(
      commands,
      (std::map<std::string, int>{
          {"::group", 1}, {"::endgroup", 1}, {"::error", 2}, {"::warning", 1}, {"::notice", 1}}));
  EXPECT_NE(write_github(report).find("::fail: a%0A::error::b␍%0A## [error]c %250A"),
            std::string::npos);
}

// Badge ---------------------------------------------------------------------------------------

TEST(BadgeTest, CountsWhatAppliesAndIsColouredByTheWorst) {
  Report report = odd_heading();
  const auto badge = [&report] { return parsed(write_badge(report)); };
  EXPECT_EQ(badge()["message"], "nothing ran");
  EXPECT_EQ(badge()["schemaVersion"], 1);
  EXPECT_EQ(badge()["label"], "MCP 2025-11-25");
  const std::vector<std::pair<Verdict, const char*>> worse = {
      {Verdict::kPass, "brightgreen"},       {Verdict::kSkip, "brightgreen"},
      {Verdict::kWarn, "brightgreen"},       {Verdict::kExpectedFail, "green"},
      {Verdict::kInconclusive, "lightgrey"}, {Verdict::kFail, "red"}};
  for (const auto& [verdict, color] : worse) {
    report.results.push_back(odd_pass());
    report.results.back().verdict = verdict;
    EXPECT_EQ(badge()["color"], color) << name_of(verdict);
  }
  EXPECT_EQ(badge()["message"], "1 to mend, 2 of 4 MUSTs hold");
  report.results.pop_back();
  EXPECT_EQ(badge()["message"], "inconclusive: 2 of 3 MUSTs hold");
  report.results.pop_back();
  EXPECT_EQ(badge()["message"], "2 of 3 MUSTs hold");
  report.target[kStale].push_back("mended");
  EXPECT_EQ(badge()["color"], "red") << "as the exit status";
}

// HTML ----------------------------------------------------------------------------------------

// data_of_page returns the report that a page carries.
Json data_of_page(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"report\">";
  const std::size_t start = page.find(open) + open.size();
  return parsed(page.substr(start, page.find("</script>", start) - start));
}

int count_of(std::string_view text, std::string_view part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(HtmlTest, CarriesEveryResultAsData) {
  const Report report = odd_report();
  const Json data = data_of_page(write_html(report));
  ASSERT_EQ(data["results"].size(), report.results.size());
  EXPECT_EQ(data["results"][1]["verdict"], "fail");
  EXPECT_EQ(data["results"][1]["evidence"][1]["message"], report.results[1].evidence[1].message);
  EXPECT_EQ(data["results"][1]["reproduce"], report.results[1].reproduce);
  EXPECT_EQ(data["results"][1]["link"],
            "https://modelcontextprotocol.io/specification/2025-11-25/basic/"
            "lifecycle#initialization");
}

TEST(HtmlTest, WhatAPeerSaidCannotEndTheDataOrChangeThePage) {
  Report report = odd_report();
  const std::string evil = "</script><script>alert(1)</script><!--<script> @SCRIPT@ @DATA@";
  report.results[1].message = evil;
  report.results[1].evidence = {{1, "<-", Json({{evil, evil}})}};
  report.command = "check " + evil;
  const std::string page = write_html(report);
  EXPECT_EQ(count_of(page, "</script"), 2);
  EXPECT_EQ(count_of(page, "<script"), 2);
  EXPECT_EQ(count_of(page, "<!--"), 0);
  EXPECT_EQ(data_of_page(page)["results"][1]["message"], evil);
}

TEST(HtmlTest, NeedsNothingFromOutsideAndSaysSo) {
  const std::string page = write_html(odd_report());
  EXPECT_NE(page.find("default-src 'none'; style-src 'sha256-"), std::string::npos);
  EXPECT_EQ(page.find("unsafe-inline"), std::string::npos);
  for (const char* reach : {"src=\"", "@import", "url(", "<link", "fetch("}) {
    EXPECT_EQ(page.find(reach), std::string::npos) << reach;
  }
}

TEST(HeadlineTest, OfScenariosSaysTheOutcomeInOneSentence) {
  Report report = odd_report();
  report.command = "run";
  EXPECT_EQ(headline_of(report), "1 of 5 scenarios fails");
  report.results.resize(1);
  EXPECT_EQ(headline_of(report), "The one scenario passes");
  report.results.push_back(odd_pass());
  EXPECT_EQ(headline_of(report), "All 2 scenarios pass");
  report.results.back().verdict = Verdict::kWarn;
  EXPECT_EQ(headline_of(report), "None of 2 scenarios fails");
  report.results.resize(1);
  report.results[0].verdict = Verdict::kSkip;
  EXPECT_EQ(headline_of(report), "Nothing applies, so nothing is known");
  EXPECT_EQ(headline_of(Report{}), "Nothing ran, so nothing is known");
}

// Every format --------------------------------------------------------------------------------

TEST(EveryFormatTest, IsPureAndTakesAnEmptyReport) {
  for (const Format& format : formats()) {
    EXPECT_EQ(format.write(odd_report()), format.write(odd_report())) << format.name;
    const std::string nothing = format.write(Report{});
    EXPECT_TRUE(nothing.ends_with('\n')) << format.name;
    EXPECT_EQ(format.name == "json" ? nothing : printable(nothing), nothing) << format.name;
  }
}

}  // namespace
}  // namespace plumbline::reports
