// Whatever bytes a peer got into a report, each format stays readable.

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "reports/compare/comparison.h"
#include "reports/text.h"
#include "reports/writer.h"
#include "reports/xml_check.h"

namespace plumbline::reports {
namespace {

// any_text draws bytes, often those that mean something to a format.
std::string any_text() {
  return *rc::gen::container<std::string>(rc::gen::weightedOneOf<char>(
      {{3, rc::gen::elementOf(std::string("<>&\"'|`\\\n\r\t ]@*_#~[;-\x1b"))},
       {2, rc::gen::inRange('a', 'z')},
       {1, rc::gen::map(rc::gen::inRange(0, 256),
                        [](int byte) { return static_cast<char>(byte); })}}));
}

Report any_report() {
  Report report;
  report.command = any_text();
  report.version = any_text();
  report.started = any_text();
  report.revision = any_text();
  report.target = Json({{"url", any_text()}, {"config", any_text()}});
  report.seed = *rc::gen::arbitrary<std::uint64_t>();
  report.duration_ms = *rc::gen::arbitrary<double>();
  const int rows = *rc::gen::inRange(0, 4);
  for (int row = 0; row < rows; ++row) {
    CheckResult& result = report.results.emplace_back();
    result.id = any_text();
    result.verdict = static_cast<Verdict>(*rc::gen::inRange(0, 6));
    result.server = any_text();
    result.level = any_text();
    result.revision = any_text();
    result.area = any_text();
    result.transport = any_text();
    result.title = any_text();
    result.message = any_text();
    result.because = any_text();
    result.spec = any_text();
    result.evidence = {{row, any_text(), Json(any_text())}};
    result.reproduce = any_text();
    result.duration_ms = row * 1e6;
  }
  return report;
}

// is_clean returns whether `text` is UTF-8 without a control character other than the newline.
bool is_clean(const std::string& text) { return printable(text) == text; }

RC_GTEST_PROP(EscapingTest, JsonParses, ()) {
  const Report report = any_report();
  const Result<Json> parsed = parse_json(write_json(report));
  RC_ASSERT(parsed.ok());
  RC_ASSERT(parsed.value().at("results").size() == report.results.size());
}

RC_GTEST_PROP(EscapingTest, JUnitIsWellFormed, ()) {
  const std::string text = write_junit(any_report());
  RC_ASSERT(XmlCheck(text).error() == "");
  RC_ASSERT(is_clean(text));
}

// Json alone keeps a text as it is: its readers get what was said, byte by byte.
RC_GTEST_PROP(EscapingTest, EveryOtherFormatIsCleanText, ()) {
  const Report report = any_report();
  for (const Format& format : formats()) {
    RC_ASSERT((format.name == "json" || is_clean(format.write(report))));
  }
}

RC_GTEST_PROP(EscapingTest, SarifAndBadgeParse, ()) {
  const Report report = any_report();
  const Result<Json> sarif = parse_json(write_sarif(report));
  RC_ASSERT(sarif.ok());
  for (const Json& alert : sarif.value()["runs"][0]["results"]) {
    RC_ASSERT(alert["message"]["text"] != "");
  }
  RC_ASSERT(parse_json(write_badge(report)).ok());
  RC_ASSERT(parse_json(write_attestation(report)).ok());
}

RC_GTEST_PROP(EscapingTest, APageHasTheScriptsThatItBeganWith, ()) {
  Report report = any_report();
  report.command += "</script>";
  for (const std::string& page : {write_html(report), write_compared_html(any_report(), report)}) {
    std::size_t ends = 0;
    for (std::size_t at = page.find("</script"); at != std::string::npos; ++ends) {
      at = page.find("</script", at + 1);
    }
    RC_ASSERT(ends == 2U);
    RC_ASSERT(is_clean(page));
  }
}

// Goal: no text of a peer begins a line of TAP that means something, or ends a YAML block.
RC_GTEST_PROP(EscapingTest, TapHasAsManyPointsAsResults, ()) {
  const Report report = any_report();
  std::istringstream lines(write_tap(report));
  std::size_t points = 0;
  std::size_t blocks = 0;
  for (std::string line; std::getline(lines, line);) {
    points += line.starts_with("ok ") || line.starts_with("not ok ");
    blocks += line == "  ...";
    RC_ASSERT(!line.starts_with("Bail out!"));
  }
  RC_ASSERT(points == report.results.size());
  RC_ASSERT(blocks <= points);
}

RC_GTEST_PROP(EscapingTest, ConsoleAndMarkdownCannotSteerATerminal, ()) {
  const Report report = any_report();
  RC_ASSERT(is_clean(write_console(report, {})));
  RC_ASSERT(is_clean(write_comparison(any_report(), report)));
  RC_ASSERT(is_clean(write_markdown(report)));
}

RC_GTEST_PROP(EscapingTest, PaddedTextFillsExactly, ()) {
  const auto columns = *rc::gen::inRange<std::size_t>(1, 20);
  RC_ASSERT(width_of(pad(one_line(any_text()), columns)) == columns);
}

// Goal: a line that does not fit is one word, and joined again the lines are the text.
RC_GTEST_PROP(EscapingTest, WrappedLinesFitOrAreOneWord, ()) {
  const auto columns = *rc::gen::inRange<std::size_t>(2, 20);
  const std::string text = one_line(any_text());
  const std::vector<std::string> lines = wrap(text, columns);
  std::string joined = lines.front();
  for (const std::string& line : lines) {
    const std::size_t word = std::min(line.find_first_not_of(' '), line.size());
    RC_ASSERT((width_of(line) <= columns || line.find(' ', word) == std::string::npos));
    if (&line != lines.data()) joined += " " + line;
  }
  RC_ASSERT(joined == text);
}

RC_GTEST_PROP(EscapingTest, NoLineIsACommandToARunner, ()) {
  const std::string draw =
      *rc::gen::container<std::string>(rc::gen::elementOf(std::string(": \n#[a")));
  const std::string text = without_commands(draw);
  RC_ASSERT(text.find("##[") == std::string::npos);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
    RC_ASSERT(!line.substr(start).starts_with("::"));
  }
}

RC_GTEST_PROP(EscapingTest, SafeJsonMeansTheSameAndSteersNoTerminal, ()) {
  const Json value = Json(std::string(any_text()) + "\x7f\xc2\x9b\xe2\x80\xae##[" + any_text());
  const std::string text = safe_json(dump_json(value));
  RC_ASSERT(parse_json(text).value() == parse_json(dump_json(value)).value());
  RC_ASSERT((text.find('\x7f') == std::string::npos && text.find("##[") == std::string::npos));
  RC_ASSERT(text.find("\xc2\x9b") == std::string::npos);
  RC_ASSERT(text.find("\xe2\x80\xae") == std::string::npos);
}

}  // namespace
}  // namespace plumbline::reports
