#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "reports/answers/explanation.h"
#include "reports/formats/markdown_text.h"
#include "reports/report_text.h"
#include "reports/sweep_text.h"
#include "reports/text.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

void append_row(std::string& out, const Report& report, std::string_view area,
                const CheckResult& result) {
  out += "| " + std::string(icon(result.verdict)) + " " + std::string(name_of(result.verdict)) +
         " | " + inline_markdown(area) + " | " + inline_markdown(result.id) + " | " +
         inline_markdown(variant_of(result, report.revision)) + " | " +
         inline_markdown(row_text(result)) + " | " + duration_text(result.duration_ms) + " |\n";
}

void append_details(std::string& out, const CheckResult& result, const Explanations& explanations) {
  out += "\n### " + std::string(icon(result.verdict)) + " " + inline_markdown(result.id) + "\n\n";
  if (!result.title.empty()) out += inline_markdown(result.title) + "\n\n";
  if (!result.spec.empty()) {
    out += inline_markdown(result.level) + " of " + inline_markdown(result.spec) + "\n\n";
  }
  if (!result.message.empty()) out += fenced("", result.message);
  for (const ExplanationLine& line : explanations.of(result)) {
    out += "\n**" + std::string(line.label) + "** " + inline_markdown(line.text) + "\n";
  }
  if (!result.evidence.empty()) {
    std::string log;
    for (const Evidence& line : result.evidence) {
      if (!log.empty()) log += '\n';
      log += evidence_text(line);
    }
    out += "\n<details><summary>Evidence</summary>\n\n" + fenced("", log) + "\n</details>\n";
  }
  if (!result.reproduce.empty()) out += "\nReproduce:\n\n" + fenced("sh", result.reproduce);
}

void append_totals(std::string& out, const SweepTotals& totals) {
  for (const std::string& fact : facts_of(totals)) out += "\n" + inline_markdown(fact) + "\n";
  for (const CountTable& table : tables_of(totals)) {
    std::string rule = "|---|";
    for (std::size_t i = 1; i < table.heading.size(); ++i) rule += "---:|";
    std::vector<std::vector<std::string>> lines = table.rows;
    lines.insert(lines.begin(), table.heading);
    out += '\n';
    for (const std::vector<std::string>& cells : lines) {
      out += '|';
      for (const std::string& cell : cells) out += " " + inline_markdown(cell) + " |";
      out += '\n';
      if (&cells == lines.data()) out += rule + "\n";
    }
  }
}

// heading_of tells what ran when. A merged sweep has no times.
std::string heading_of(const Report& report) {
  std::string out = "Version " + inline_markdown(report.version);
  if (!report.revision.empty()) out += ", revision " + inline_markdown(report.revision);
  const std::string scope = scope_of(report);
  if (!scope.empty()) out += ", " + scope;
  if (report.started.empty()) return out + ".\n";
  return out + ", started " + inline_markdown(report.started) + ", took " +
         duration_text(report.duration_ms) + ".\n";
}

}  // namespace

std::string write_markdown(const Report& report) {
  if (report.command.starts_with("check")) return write_checks_markdown(report);
  const Summary summary = summarize(report);
  std::string out = "## " + std::string(icon(overall_verdict(summary))) + " plumbline " +
                    inline_markdown(report.command) + ": " + summary_text(summary) + "\n\n";
  out += heading_of(report);
  if (report.sweep) append_totals(out, *report.sweep);
  if (report.results.empty()) return out + "\nNothing ran.\n";
  out += "\n| Verdict | Area | Id | Variant | Title | Time |\n|---|---|---|---|---|---:|\n";
  for (const Area& area : by_area(report)) {
    for (const CheckResult* result : area.results) append_row(out, report, area.name, *result);
  }
  const Explanations explanations(report);
  for (const CheckResult& result : report.results) {
    if (deserves_a_look(result)) append_details(out, result, explanations);
  }
  return out;
}

}  // namespace plumbline::reports
