#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "reports/answers/headline.h"
#include "reports/formats/console_text.h"
#include "reports/report_text.h"
#include "reports/sweep_text.h"
#include "reports/text.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

constexpr std::size_t kIdColumnsMax = 44;
constexpr std::size_t kDurationColumns = 9;
constexpr std::size_t kTitleColumnsMin = 10;
constexpr std::size_t kCountColumnsMin = 9;
constexpr std::size_t kOutcomeColumns = 17;

class Console {
 public:
  Console(const Report& report, const ConsoleOptions& options)
      : report_(report), options_(options), text_(options), columns_(text_.columns()) {
    for (const CheckResult& result : report.results) {
      verdict_columns_ = std::max(verdict_columns_, label(result.verdict).size());
      id_columns_ = std::max(id_columns_, width_of(one_line(result.id)));
      variant_columns_ = std::max(variant_columns_, width_of(variant_of(result, report_.revision)));
    }
    id_columns_ = std::min({id_columns_, kIdColumnsMax, columns_ / 2});
  }

  std::string write() {
    text_.heading(report_);
    if (!options_.quiet && report_.sweep) {
      sweep(*report_.sweep);
    } else if (!options_.quiet) {
      for (const Area& area : by_area(report_)) table(area);
    }
    for (const CheckResult& result : report_.results) {
      if (options_.outcome) outcome(result);
      if (deserves_a_look(result)) details(result);
    }
    summary();
    return text_.take();
  }

 private:
  void area_heading(const Area& area) {
    const auto passed = std::ranges::count(area.results, Verdict::kPass, &CheckResult::verdict);
    const std::string count =
        "  " + std::to_string(passed) + " of " + std::to_string(area.results.size()) + " pass";
    text_.add(text_.paint(kBold, clip(one_line(area.name), columns_ - count.size())));
    text_.add(text_.paint(kDim, count) + "\n");
  }

  // sweep tells what was counted: a sweep has too many rows to show each.
  void sweep(const SweepTotals& totals) {
    for (const Area& area : by_area(report_)) area_heading(area);
    if (!report_.results.empty()) text_.add("\n");
    for (const CountTable& table : tables_of(totals)) counts(table);
    for (const std::string& fact : facts_of(totals)) text_.lines("", fact);
    text_.add("\n");
  }

  void counts(const CountTable& table) {
    std::size_t name_columns = table.heading.front().size();
    for (const auto& row : table.rows) {
      name_columns = std::max(name_columns, width_of(one_line(row.front())) + 2);
    }
    name_columns = std::min(name_columns, kIdColumnsMax);
    text_.add(text_.paint(kBold, count_line(table.heading, table.heading, "", name_columns)) +
              "\n");
    for (const auto& row : table.rows) {
      text_.add(count_line(row, table.heading, "  ", name_columns) + "\n");
    }
    text_.add("\n");
  }

  // count_line right-aligns the numbers below their headings.
  static std::string count_line(const std::vector<std::string>& cells,
                                const std::vector<std::string>& heading, std::string_view indent,
                                std::size_t name_columns) {
    std::string line = pad(std::string(indent) + one_line(cells.front()), name_columns);
    for (std::size_t i = 1; i < cells.size(); ++i) {
      const std::size_t columns = std::max(heading[i].size(), kCountColumnsMin);
      line.append(2 + columns - std::min(columns, cells[i].size()), ' ');
      line += cells[i];
    }
    return line;
  }

  void table(const Area& area) {
    area_heading(area);
    for (const CheckResult* result : area.results) row(*result);
    text_.add("\n");
  }

  void row(const CheckResult& result) {
    const std::string time = duration_text(result.duration_ms);
    text_.add("  " +
              text_.paint(color_of(result.verdict), pad(label(result.verdict), verdict_columns_)) +
              "  " + pad(one_line(result.id), id_columns_));
    std::size_t used = 2 + verdict_columns_ + 2 + id_columns_;
    if (variant_columns_ != 0 && used + 2 + variant_columns_ + kDurationColumns < columns_) {
      text_.add("  " +
                text_.paint(kDim, pad(variant_of(result, report_.revision), variant_columns_)));
      used += 2 + variant_columns_;
    }
    if (used + 2 + kTitleColumnsMin + kDurationColumns <= columns_) {
      const std::size_t title_columns = columns_ - used - 2 - kDurationColumns;
      text_.add("  " + pad(row_text(result), title_columns));
      used += 2 + title_columns;
    }
    if (used + 1 + time.size() <= columns_) {
      const std::size_t gap = std::max(kDurationColumns, time.size() + 1) - time.size();
      text_.add(std::string(gap, ' ') + text_.paint(kDim, time));
    }
    text_.add("\n");
  }

  void details(const CheckResult& result) {
    const std::string_view mark = label(result.verdict);
    text_.add(text_.paint(color_of(result.verdict), mark) + " ");
    text_.add(text_.paint(kBold, clip(one_line(result.id), columns_ - mark.size() - 1)) + "\n");
    text_.lines("  ", printable(result.title));
    text_.lines("  ", printable(result.message));
    if (!result.spec.empty()) text_.lines("  spec: ", one_line(result.level + " " + result.spec));
    text_.evidence("  ", result.evidence);
    text_.reproduce("  ", result);
    text_.add("\n");
  }

  // outcome tells what came of a scenario, a member a line: what is said first, then what is
  // counted.
  void outcome(const CheckResult& result) {
    const auto* const members = result.outcome.get_ptr<const Json::object_t*>();
    if (members == nullptr) return;
    text_.add(text_.paint(kBold, clip(one_line(result.id), columns_)) + " came to\n");
    for (const bool said : {true, false}) {
      for (const auto& [name, value] : *members) {
        if (value.is_string() != said) continue;
        text_.lines("  " + pad(name, kOutcomeColumns), printable(outcome_text(value)));
      }
    }
    text_.add("\n");
  }

  // outcome_text returns "a 1, b 2" of counts, everything else as it is.
  static std::string outcome_text(const Json& value) {
    if (const auto* const text = value.get_ptr<const std::string*>()) return *text;
    const auto* const counts = value.get_ptr<const Json::object_t*>();
    if (counts == nullptr) return dump_json(value);
    std::string out;
    for (const auto& [name, count] : *counts) {
      out += (out.empty() ? "" : ", ") + name + ' ' + dump_json(count);
    }
    return out.empty() ? "none" : out;
  }

  void summary() {
    const Summary counts = summarize(report_);
    const Verdict overall = overall_verdict(report_);
    text_.add(text_.paint(color_of(overall), label(overall)) + "  ");
    text_.add(report_.results.empty() ? "nothing ran, so nothing is known" : summary_text(counts));
    const bool merged = report_.sweep && report_.started.empty();
    text_.add(merged ? "\n" : " in " + duration_text(report_.duration_ms) + "\n");
  }

  const Report& report_;
  const ConsoleOptions& options_;
  ConsoleText text_;
  const std::size_t columns_;
  std::size_t verdict_columns_ = 0;
  std::size_t id_columns_ = 1;
  std::size_t variant_columns_ = 0;
};

}  // namespace

std::string write_console(const Report& report, const ConsoleOptions& options) {
  // A row for each of many hundreds would say less than a line an area.
  const bool checks = report.command.starts_with("check");
  if (checks && !options.verbose) return write_brief_console(report, options);
  if (checks || report.command == "demo") return write_checks_console(report, options);
  if (report.command == "lint") return write_lint_console(report, options);
  return Console(report, options).write();
}

}  // namespace plumbline::reports
