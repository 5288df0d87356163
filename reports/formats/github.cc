#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

#include "reports/answers/answers.h"
#include "reports/answers/explanation.h"
#include "reports/answers/headline.h"
#include "reports/beside.h"
#include "reports/report_text.h"
#include "reports/spec_link.h"
#include "reports/text.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

constexpr std::size_t kFindingsMax = 30;   // That have an annotation of their own.
constexpr std::size_t kListColumns = 500;  // Of a text in an annotation.

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

// command returns one annotation, at the file that the report names.
std::string command(std::string_view kind, const Report& report, std::string_view title,
                    std::string_view text) {
  std::string place;
  if (const std::string file = string_or(report.target, kShownAt, ""); !file.empty()) {
    place = "file=" + escaped(one_line(file), true) + ",line=1,";
  }
  return "::" + std::string(kind) + " " + place + "title=" + escaped(title, true) +
         "::" + escaped(text, false) + "\n";
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
  return command(command_of(result.verdict), report, title, text);
}

// kind returns one annotation for all rows that `wanted` takes: their ids, and what one of them
// says.
template <class Wanted>
std::string kind(std::string_view command_name, std::string_view title, const Report& report,
                 const Wanted& wanted) {
  const CheckResult* first = nullptr;
  std::set<std::string_view> ids;
  for (const CheckResult& row : report.results) {
    if (!wanted(row)) continue;
    if (first == nullptr) first = &row;
    ids.insert(row.id);
  }
  if (first == nullptr) return "";
  std::string list;
  for (const std::string_view id : ids) list += (list.empty() ? "" : ", ") + std::string(id);
  const std::string text = first->message.empty() ? first->title : first->message;
  return command(command_name, report, counted(ids.size(), title),
                 clip(one_line(list), kListColumns) + "\n" + clip(one_line(text), kListColumns));
}

// checks_annotations returns one for each finding, and one for each kind of everything else: of a
// step GitHub shows ten.
std::string checks_annotations(const Report& report) {
  const Explanations explanations(report);
  const Faults& faults = explanations.faults();
  const Answers answers = answers_of(report);
  std::string out;
  std::size_t told = 0;
  for (const Finding& finding : answers.findings) {
    if (finding.whose != Whose::kYours || ++told > kFindingsMax) continue;
    CheckResult row = *finding.result;
    row.message = clip(row.message, kListColumns);
    out += annotation(row, report, explanations);
  }
  out += kind("error", "inconclusive check", report,
              [](const CheckResult& row) { return row.verdict == Verdict::kInconclusive; });
  out += kind("warning", "warning", report, [&](const CheckResult& row) {
    return row.verdict == Verdict::kWarn && !faults.is_habit(row) && !is_brought(row, report);
  });
  out += kind("notice", "uncounted finding of the SDK", report, [&](const CheckResult& row) {
    return row.verdict != Verdict::kFail && faults.is_habit(row);
  });
  out += kind("notice", "excused failure", report, [&faults](const CheckResult& row) {
    return row.verdict == Verdict::kExpectedFail && !faults.is_habit(row);
  });
  return out;
}

}  // namespace

std::string write_github(const Report& report) {
  const bool checks = report.command.starts_with("check");
  const std::string summary = checks ? headline_of(report) : summary_text(summarize(report));
  std::string out =
      "::group::" + escaped("plumbline " + report.command + ": " + summary, false) + "\n";
  for (const Area& area : by_area(report)) {
    const auto passed = std::ranges::count(area.results, Verdict::kPass, &CheckResult::verdict);
    out += "area " + log_line(area.name) + ": " + std::to_string(passed) + " of " +
           std::to_string(area.results.size()) + " pass\n";
    if (checks) continue;  // Each failure has an annotation.
    for (const CheckResult* result : area.results) {
      out += "  " + std::string(name_of(result->verdict)) + "  " +
             log_line(result->id + "  " + row_text(*result)) + "\n";
    }
  }
  out += "::endgroup::\n";
  if (checks) return out + checks_annotations(report);
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
