#include <algorithm>
#include <string>
#include <string_view>

#include "reports/answers/answers.h"
#include "reports/answers/headline.h"
#include "reports/json_object.h"
#include "reports/report_text.h"
#include "reports/text.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

// Told is what a badge says, and in which colour.
struct Told {
  std::string message;
  std::string_view color;
};

std::string_view badge_color(Verdict overall, bool spotless) {
  if (overall == Verdict::kFail) return "red";
  if (overall != Verdict::kPass) return "lightgrey";
  return spotless ? "brightgreen" : "green";
}

// told_of_checks says what the exit status says, and how many MUSTs hold.
Told told_of_checks(const Report& report) {
  const Answers answers = answers_of(report);
  const Conformance& conformance = answers.conformance;
  const bool spotless = conformance.held == conformance.musts;
  const std::string musts =
      spotless ? "all " + std::to_string(conformance.musts)
               : std::to_string(conformance.held) + " of " + std::to_string(conformance.musts);
  const Verdict overall = overall_verdict(report);
  std::string message = std::string(name_of(overall)) + ": ";
  if (overall == Verdict::kFail) {
    message = std::to_string(answers.count(Whose::kYours)) + " to mend, ";
  } else if (overall == Verdict::kPass) {
    message.clear();
  }
  return {message + musts + " MUSTs hold", badge_color(overall, spotless)};
}

Told told_of_scenarios(const Report& report, const Summary& summary) {
  return {std::to_string(summary.pass) + " of " + std::to_string(applicable(summary)) + " pass",
          badge_color(overall_verdict(report), summary.warn + summary.expected_fail == 0)};
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
  const bool is_check = report.command.starts_with("check");
  Told told{"nothing ran", "lightgrey"};
  if (applicable(summary) != 0) {
    told = is_check ? told_of_checks(report) : told_of_scenarios(report, summary);
  }
  std::string label = is_check ? "MCP" : "plumbline";
  if (is_check && !report.revision.empty()) label += " " + one_line(report.revision);
  std::string out;
  JsonObject object(out, "{", ", ");
  object.raw("schemaVersion", "1");
  object.text("label", label);
  object.text("message", told.message);
  object.text("color", std::string(told.color));
  return out + "}\n";
}

}  // namespace plumbline::reports
