#include <string>
#include <string_view>
#include <vector>

#include "reports/answers/answers.h"
#include "reports/answers/explanation.h"
#include "reports/report_text.h"
#include "reports/sweep_text.h"
#include "reports/text.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

// xml returns text for the inside of an element. printable() has removed every character that XML
// 1.0 has no place for.
std::string xml(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string attribute(std::string_view name, std::string_view value) {
  std::string out = " " + std::string(name) + "=\"";
  for (const char c : xml(value)) {
    if (c == '\n') {
      out += "&#10;";  // A bare newline in an attribute is read as a space.
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string seconds_of(double milliseconds) { return decimal(milliseconds / 1'000, 6); }

// counts returns the attributes that say how many of `results` are what, JUnit's way.
std::string counts(const std::vector<const CheckResult*>& results, bool with_skipped) {
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
  for (const CheckResult* result : results) {
    failures += result->verdict == Verdict::kFail ? 1U : 0U;
    errors += result->verdict == Verdict::kInconclusive ? 1U : 0U;
    skipped += result->verdict == Verdict::kSkip || result->verdict == Verdict::kExpectedFail;
  }
  return attribute("tests", std::to_string(results.size())) +
         attribute("failures", std::to_string(failures)) +
         attribute("errors", std::to_string(errors)) +
         (with_skipped ? attribute("skipped", std::to_string(skipped)) : "");
}

// body returns what stands inside a failure, error or system-out: everything a reader of a CI page
// needs without the console.
std::string body(const CheckResult& result, const Explanations& explanations) {
  std::string out = result.message;
  for (const ExplanationLine& line : explanations.of(result)) {
    out += "\n" + std::string(line.label) + ": " + line.text;
  }
  if (!result.spec.empty()) out += "\nspec: " + result.level + " " + result.spec;
  for (const Evidence& line : result.evidence) {
    out += "\n" + evidence_text(line);
  }
  if (!result.reproduce.empty()) out += "\nreproduce: " + result.reproduce;
  return out;
}

// outcome returns the element that carries the verdict; a pass has none.
std::string outcome(const CheckResult& result, const Explanations& explanations) {
  const std::string message = attribute("message", result.message);
  switch (result.verdict) {
    case Verdict::kPass:
      return "";
    case Verdict::kFail:
      return "<failure" + message +
             attribute("type", result.level.empty() ? "scenario" : result.level) + ">" +
             xml(body(result, explanations)) + "</failure>";
    case Verdict::kInconclusive:
      return "<error" + message + attribute("type", "inconclusive") + ">" +
             xml(body(result, explanations)) + "</error>";
    case Verdict::kSkip:
      return "<skipped" + message + "/>";
    case Verdict::kExpectedFail:
      return "<skipped" + attribute("message", "expected failure: " + result.message) + "/>";
    case Verdict::kWarn:
      return "<system-out>" + xml("warning: " + body(result, explanations)) + "</system-out>";
  }
  return "";
}

void append_testcase(std::string& out, std::string_view area, const CheckResult& result,
                     const Explanations& explanations) {
  const std::string variant = variant_of(result);
  const std::string name = variant.empty() ? result.id : result.id + " [" + variant + "]";
  out += "    <testcase" + attribute("classname", area) + attribute("name", name) +
         attribute("time", seconds_of(result.duration_ms));
  const std::string inside = outcome(result, explanations);
  out += inside.empty() ? "/>\n" : ">\n      " + inside + "\n    </testcase>\n";
}

std::string property(std::string_view name, std::string_view value) {
  return "      <property" + attribute("name", name) + attribute("value", value) + "/>\n";
}

// sweep_properties returns every number of the sweep's tables as "situation.NAME.worlds".
std::string sweep_properties(const SweepTotals& totals) {
  std::string out = property("fingerprint", hex_text(totals.fingerprint));
  for (const CountTable& table : tables_of(totals)) {
    for (const std::vector<std::string>& row : table.rows) {
      for (std::size_t i = 1; i < row.size(); ++i) {
        out += property(table.heading[0] + "." + row[0] + "." + table.heading[i], row[i]);
      }
    }
  }
  return out;
}

// answers_properties returns both answers: counts of JUnit are of test cases.
std::string answers_properties(const Report& report) {
  const Answers answers = answers_of(report);
  return property("conformance.musts", std::to_string(answers.conformance.musts)) +
         property("conformance.held", std::to_string(answers.conformance.held)) +
         property("to_mend.yours", std::to_string(answers.count(Whose::kYours))) +
         property("to_mend.sdk", std::to_string(answers.count(Whose::kSdk))) +
         property("to_mend.excused", std::to_string(answers.count(Whose::kExcused)));
}

void append_testsuite(std::string& out, const Area& area, const Report& report,
                      const Explanations& explanations) {
  double duration_ms = 0;
  for (const CheckResult* result : area.results) duration_ms += result->duration_ms;
  out += "  <testsuite" + attribute("name", area.name) + counts(area.results, true) +
         attribute("time", seconds_of(duration_ms)) +
         (report.started.empty() ? "" : attribute("timestamp", report.started)) +
         ">\n    <properties>\n" + property("seed", std::to_string(report.seed));
  const bool first = !report.results.empty() && area.results.front() == report.results.data();
  if (report.sweep && first) out += sweep_properties(*report.sweep);
  if (report.command.starts_with("check") && first) out += answers_properties(report);
  out += "    </properties>\n";
  for (const CheckResult* result : area.results) {
    append_testcase(out, area.name, *result, explanations);
  }
  out += "  </testsuite>\n";
}

}  // namespace

std::string write_junit(const Report& report) {
  std::vector<const CheckResult*> all;
  for (const CheckResult& result : report.results) all.push_back(&result);
  // Jenkins' schema has no `skipped` on the outermost element.
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
                    attribute("name", "plumbline " + report.command) + counts(all, false) +
                    attribute("time", seconds_of(report.duration_ms)) + ">\n";
  const Explanations explanations(report);
  for (const Area& area : by_area(report)) append_testsuite(out, area, report, explanations);
  return out + "</testsuites>\n";
}

}  // namespace plumbline::reports
