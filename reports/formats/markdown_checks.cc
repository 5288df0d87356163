// The Markdown of checks: what is to be mended first, everything else folded, 8 KB at most.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reports/answers/answers.h"
#include "reports/answers/explanation.h"
#include "reports/answers/headline.h"
#include "reports/answers/judged.h"
#include "reports/formats/console_text.h"
#include "reports/formats/markdown_text.h"
#include "reports/report_text.h"
#include "reports/spec_link.h"
#include "reports/text.h"

namespace plumbline::reports {
namespace {

// Of the 8 KB, what the findings may take, and what each of them may.
constexpr std::size_t kFindingsBytesMax = 3'500;
constexpr std::size_t kFoldMax = 600;
constexpr std::size_t kCellColumns = 220;
constexpr std::size_t kCommandMax = 300;  // Longer ones are in the other formats.

std::string clipped(std::string_view text) {
  return inline_markdown(clip(one_line(text), kCellColumns));
}

// BoundedList collects lines up to a size, and counts those that are left out.
class BoundedList {
 public:
  explicit BoundedList(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  void add(const std::string& item) {
    const bool fits = left_out_ == 0 && text_.size() + item.size() <= bytes_max_;
    if (fits) text_ += item;
    if (!fits) ++left_out_;
    ++all_;
  }

  std::size_t all() const { return all_; }
  std::string text() const {
    return text_ + (left_out_ == 0 ? "" : "\n… and " + std::to_string(left_out_) + " more\n");
  }

 private:
  std::size_t bytes_max_;
  std::size_t all_ = 0;
  std::size_t left_out_ = 0;
  std::string text_;
};

std::string fold(const std::string& summary, const std::string& content) {
  return "\n<details><summary>" + summary + "</summary>\n\n" + content + "\n</details>\n";
}

std::string finding_text(const Finding& finding, const Report& report,
                         const Explanations& explanations) {
  const CheckResult& result = *finding.result;
  std::set<std::string, std::greater<>> revisions;
  for (const CheckResult* const row : finding.variants) {
    if (!row->revision.empty()) revisions.insert(row->revision);
  }
  std::string where = inline_markdown(result.level);
  for (const std::string& revision : revisions) {
    where += (where.empty() ? "" : ", ") + inline_markdown(revision);
  }
  if (!result.server.empty()) where = clipped(result.server) + ": " + where;
  std::string out = "\n### " + std::string(icon(result.verdict)) + " " + clipped(result.id);
  out += where.empty() ? "\n\n" : " (" + where + ")\n\n";
  const Observation seen = observation_of(result);
  out += clipped(seen.seen) + "\n";
  if (!seen.expected.empty()) out += "\n**Expected** " + clipped(seen.expected) + "\n";
  for (const ExplanationLine& line : explanations.of(result)) {
    out += "\n**" + std::string(line.label) + "** " + clipped(line.text) + "\n";
  }
  if (!result.title.empty()) {
    const std::string link = spec_link(result, report);
    out += "\n**Rule** " + clipped(result.title);
    out += link.empty() || link.size() > kCellColumns ? "\n" : " ([clause](" + link + "))\n";
  }
  if (!finding.followers.empty()) {
    out += "\nBecause of it: " + counted(finding.followers.size(), "more failure") + ".\n";
  }
  if (!result.reproduce.empty() && result.reproduce.size() <= kCommandMax) {
    out += "\n" + fenced("sh", result.reproduce);
  }
  return out;
}

// kinds_of returns the first row of each id that `wanted` takes.
template <class Wanted>
std::vector<const CheckResult*> kinds_of(const Report& report, const Wanted& wanted) {
  std::vector<const CheckResult*> kinds;
  std::set<std::string_view> seen;
  for (const CheckResult& row : report.results) {
    if (wanted(row) && seen.insert(row.id).second) kinds.push_back(&row);
  }
  return kinds;
}

// folded tells of some results, a line each, behind `name`.
std::string folded(std::string_view name, const std::vector<const CheckResult*>& rows) {
  if (rows.empty()) return "";
  BoundedList list(kFoldMax);
  for (const CheckResult* const row : rows) {
    const std::string& seen = row->message.empty() ? row->title : row->message;
    list.add("- " + clipped(row->id) + ": " + clipped(seen) + "\n");
  }
  return fold(counted(rows.size(), name), list.text());
}

std::string areas_text(const Report& report) {
  BoundedList list(kFoldMax);
  for (const Area& area : by_area(report)) {
    std::map<Verdict, std::size_t> counts;
    for (const CheckResult* const row : area.results) ++counts[row->verdict];
    std::string line;
    for (const auto& [verdict, count] : counts) {
      line += (line.empty() ? "" : ", ") + std::to_string(count) + " ";
      line += name_of(verdict);
    }
    list.add("- " + clipped(area.name) + ": " + line + "\n");
  }
  return fold("Areas", list.text());
}

std::string who_was_judged(const Report& report) {
  BoundedList list(kFoldMax);
  for (const Judged& judged : judged_in(report)) {
    std::string line = naming_of(judged);
    for (const std::string& revision : judged.revisions) line += ", " + revision;
    if (!judged.server.empty()) line = judged.server + ": " + line;
    list.add(clipped(line) + "\n\n");
  }
  std::string out = list.text();
  if (list.all() == 0 && !subject_of(report).empty()) out = clipped(subject_of(report)) + "\n\n";
  out += "plumbline " + clipped(report.version);
  if (report.started.empty()) return out + "\n";
  return out + ", started " + clipped(report.started) + ", took " +
         duration_text(report.duration_ms) + "\n";
}

}  // namespace

std::string write_checks_markdown(const Report& report) {
  const Verdict overall = overall_verdict(report);
  std::string out = "## " + std::string(icon(overall)) + " " + std::string(label(overall)) + ": " +
                    clipped(headline_of(report)) + "\n\n" + who_was_judged(report);
  const Explanations explanations(report);
  const Faults& faults = explanations.faults();
  const Answers answers = answers_of(report);
  BoundedList findings(kFindingsBytesMax);
  for (const Finding& finding : answers.findings) {
    if (finding.whose != Whose::kYours) continue;
    findings.add(finding_text(finding, report, explanations));
  }
  out += findings.text();
  out += folded("inconclusive check", kinds_of(report, [](const CheckResult& row) {
                  return row.verdict == Verdict::kInconclusive;
                }));
  out += folded("warning", kinds_of(report, [&](const CheckResult& row) {
                  return row.verdict == Verdict::kWarn && !faults.is_habit(row) &&
                         !is_brought(row, report);
                }));
  out += folded("SDK finding", kinds_of(report, [&](const CheckResult& row) {
                  return row.verdict != Verdict::kFail && faults.is_habit(row);
                }));
  out += folded("excused failure", kinds_of(report, [&](const CheckResult& row) {
                  return row.verdict == Verdict::kExpectedFail && !faults.is_habit(row);
                }));
  return out + areas_text(report);
}

}  // namespace plumbline::reports
