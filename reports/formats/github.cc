#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "reports/explanation.h"
#include "reports/report_text.h"
#include "reports/spec_link.h"
#include "reports/text.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

// log_line returns one line that the runner only shows.
std::string log_line(std::string_view text) { return without_commands(one_line(text)); }

// escaped returns text for a workflow command; in a property, : and , need it too.
std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '[' && out.ends_with("##")) out += ' ';
    if (c == '%') {
      out += "%25";
    } else if (c == '\n') {
      out += "%0A";
    } else if (property && c == ':') {
      out += "%3A";
    } else if (property && c == ',') {
      out += "%2C";
    } else {
      out += c;
    }
  }
  return out;
}

std::string_view command_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFail:
    case Verdict::kInconclusive:
      return "error";
    case Verdict::kWarn:
      return "warning";
    case Verdict::kExpectedFail:
      return "notice";
    case Verdict::kPass:
    case Verdict::kSkip:
      return "";
  }
  return "";
}

std::string annotation(const CheckResult& result, const Report& report,
                       const Explanations& explanations) {
  std::string title = result.id;
  if (!result.level.empty()) title += " (" + result.level + ")";
  const std::string variant = variant_of(result, report.revision);
  if (!variant.empty()) title += " [" + variant + "]";
  std::string text = std::string(name_of(result.verdict)) + ": " + result.message;
  for (const ExplanationLine& line : explanations.of(result)) {
    text += "\n" + std::string(line.label) + ": " + line.text;
  }
  const std::string link = spec_link(result, report);
  if (!link.empty()) text += "\nspec: " + link;
  if (!result.reproduce.empty()) text += "\nreproduce: " + result.reproduce;
  return "::" + std::string(command_of(result.verdict)) + " title=" + escaped(title, true) +
         "::" + escaped(text, false) + "\n";
}

}  // namespace

std::string write_github(const Report& report) {
  const std::string summary = summary_text(summarize(report));
  std::string out =
      "::group::" + escaped("plumbline " + report.command + ": " + summary, false) + "\n";
  for (const Area& area : by_area(report)) {
    const auto passed = std::ranges::count(area.results, Verdict::kPass, &CheckResult::verdict);
    out += "area " + log_line(area.name) + ": " + std::to_string(passed) + " of " +
           std::to_string(area.results.size()) + " pass\n";
    for (const CheckResult* result : area.results) {
      out += "  " + std::string(name_of(result->verdict)) + "  " +
             log_line(result->id + "  " + row_text(*result)) + "\n";
    }
  }
  out += "::endgroup::\n";
  // GitHub shows the first few of a step: what is worst comes first.
  constexpr std::array kAnnotated = {Verdict::kFail, Verdict::kInconclusive, Verdict::kWarn,
                                     Verdict::kExpectedFail};
  const Explanations explanations(report);
  for (const Verdict verdict : kAnnotated) {
    for (const CheckResult& result : report.results) {
      if (result.verdict == verdict) out += annotation(result, report, explanations);
    }
  }
  return out;
}

}  // namespace plumbline::reports
