#include <algorithm>
#include <string>
#include <string_view>

#include "reports/json_object.h"
#include "reports/report_text.h"
#include "reports/text.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

std::string_view badge_color(const Summary& summary, std::int64_t judged) {
  if (summary.fail != 0) return "red";
  if (judged == 0 || summary.inconclusive != 0) return "lightgrey";
  if (summary.warn != 0) return "yellow";
  return summary.expected_fail != 0 ? "yellowgreen" : "brightgreen";
}

// lint_badge tells the grade of the worst server, and what all cost together.
std::string lint_badge(const Json& linted) {
  std::string grade;
  std::int64_t tokens = 0;
  for (const Json& one : linted) {
    grade = std::max(grade, string_or(one, "grade", ""));
    tokens += int_or(one, "tokens", 0);
  }
  const std::string cost = tokens < 1'000 ? std::to_string(tokens)
                                          : decimal(static_cast<double>(tokens) / 1'000, 1) + "k";
  std::string out;
  JsonObject object(out, "{", ", ");
  object.raw("schemaVersion", "1");
  object.text("label", "MCP tools");
  object.text("message", grade + " · " + cost + " tokens");
  object.text("color", grade == "A"   ? "brightgreen"
                       : grade == "B" ? "green"
                       : grade == "C" ? "yellow"
                       : grade == "D" ? "orange"
                                      : "red");
  return out + "}\n";
}

}  // namespace

std::string write_badge(const Report& report) {
  const Json* const linted = find(report.target, "lint");
  const bool grades = report.command == "lint" && linted != nullptr && linted->is_array();
  if (grades && !linted->empty()) return lint_badge(*linted);
  const Summary summary = summarize(report);
  const std::int64_t judged = applicable(summary);
  const bool is_check = report.command.starts_with("check");
  std::string label = is_check ? "MCP" : "plumbline";
  if (is_check && !report.revision.empty()) label += " " + one_line(report.revision);
  std::string out;
  JsonObject object(out, "{", ", ");
  object.raw("schemaVersion", "1");
  object.text("label", label);
  object.text("message", judged == 0 ? "nothing ran"
                                     : std::to_string(summary.pass) + " of " +
                                           std::to_string(judged) + " pass");
  object.text("color", std::string(badge_color(summary, judged)));
  return out + "}\n";
}

}  // namespace plumbline::reports
