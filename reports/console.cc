#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "reports/sweep_text.h"
#include "reports/text.h"
#include "reports/writer.h"

namespace plumbline::reports {
namespace {

constexpr std::string_view kBold = "1";
constexpr std::string_view kDim = "2";
constexpr std::size_t kColumnsMin = 60;
constexpr std::size_t kIdColumnsMax = 44;
constexpr std::size_t kDurationColumns = 9;
constexpr std::size_t kTitleColumnsMin = 10;
constexpr std::size_t kCountColumnsMin = 9;

std::string_view color_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "32";
    case Verdict::kFail:
      return "1;31";
    case Verdict::kWarn:
      return "33";
    case Verdict::kSkip:
      return kDim;
    case Verdict::kInconclusive:
      return "35";
    case Verdict::kExpectedFail:
      return "36";
  }
  return kBold;
}

// label returns the verdict as a table shows it. A failure is loud without colour too.
std::string_view label(Verdict verdict) {
  return verdict == Verdict::kFail ? std::string_view("FAIL") : name_of(verdict);
}

class Console {
 public:
  Console(const Report& report, const ConsoleOptions& options)
      : report_(report), options_(options), columns_(std::max(options.columns, kColumnsMin)) {
    for (const CheckResult& result : report.results) {
      verdict_columns_ = std::max(verdict_columns_, label(result.verdict).size());
      id_columns_ = std::max(id_columns_, width_of(one_line(result.id)));
      variant_columns_ = std::max(variant_columns_, width_of(variant_of(result, report_.revision)));
    }
    id_columns_ = std::min({id_columns_, kIdColumnsMax, columns_ / 2});
  }

  std::string write() {
    heading();
    if (!options_.quiet && report_.sweep) {
      sweep(*report_.sweep);
    } else if (!options_.quiet) {
      for (const Area& area : by_area(report_)) table(area);
    }
    for (const CheckResult& result : report_.results) {
      if (deserves_a_look(result)) details(result);
    }
    summary();
    return std::move(out_);
  }

 private:
  std::string paint(std::string_view code, std::string_view text) const {
    if (!options_.color) return std::string(text);
    return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
  }

  void heading() {
    std::string text = "plumbline " + report_.version + " · " + report_.command;
    if (!report_.revision.empty()) text += " · " + report_.revision;
    text += " · ";
    text += report_.sweep ? scope_text(*report_.sweep) : "seed " + std::to_string(report_.seed);
    out_ += paint(kDim, clip(one_line(text), columns_)) + "\n\n";
  }

  void area_heading(const Area& area) {
    const auto passed = std::ranges::count(area.results, Verdict::kPass, &CheckResult::verdict);
    const std::string count =
        "  " + std::to_string(passed) + " of " + std::to_string(area.results.size()) + " pass";
    out_ += paint(kBold, clip(one_line(area.name), columns_ - count.size()));
    out_ += paint(kDim, count) + "\n";
  }

  // sweep tells what was counted: a sweep has too many rows to show each.
  void sweep(const SweepTotals& totals) {
    for (const Area& area : by_area(report_)) area_heading(area);
    if (!report_.results.empty()) out_ += "\n";
    for (const CountTable& table : tables_of(totals)) counts(table);
    for (const std::string& fact : facts_of(totals)) lines("", fact);
    out_ += "\n";
  }

  void counts(const CountTable& table) {
    std::size_t name_columns = table.heading.front().size();
    for (const auto& row : table.rows) {
      name_columns = std::max(name_columns, width_of(one_line(row.front())) + 2);
    }
    name_columns = std::min(name_columns, kIdColumnsMax);
    out_ += paint(kBold, count_line(table.heading, table.heading, "", name_columns)) + "\n";
    for (const auto& row : table.rows) {
      out_ += count_line(row, table.heading, "  ", name_columns) + "\n";
    }
    out_ += "\n";
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
    out_ += "\n";
  }

  void row(const CheckResult& result) {
    const std::string time = duration_text(result.duration_ms);
    out_ += "  " + paint(color_of(result.verdict), pad(label(result.verdict), verdict_columns_)) +
            "  " + pad(one_line(result.id), id_columns_);
    std::size_t used = 2 + verdict_columns_ + 2 + id_columns_;
    if (variant_columns_ != 0 && used + 2 + variant_columns_ + kDurationColumns < columns_) {
      out_ += "  " + paint(kDim, pad(variant_of(result, report_.revision), variant_columns_));
      used += 2 + variant_columns_;
    }
    if (used + 2 + kTitleColumnsMin + kDurationColumns <= columns_) {
      const std::size_t title_columns = columns_ - used - 2 - kDurationColumns;
      out_ += "  " + pad(row_text(result), title_columns);
      used += 2 + title_columns;
    }
    if (used + 1 + time.size() <= columns_) {
      const std::size_t gap = std::max(kDurationColumns, time.size() + 1) - time.size();
      out_.append(gap, ' ').append(paint(kDim, time));
    }
    out_ += "\n";
  }

  void details(const CheckResult& result) {
    const std::string_view mark = label(result.verdict);
    out_ += paint(color_of(result.verdict), mark) + " ";
    out_ += paint(kBold, clip(one_line(result.id), columns_ - mark.size() - 1)) + "\n";
    lines("  ", printable(result.title));
    lines("  ", printable(result.message));
    if (!result.spec.empty()) lines("  spec: ", one_line(result.level + " " + result.spec));
    evidence(result.evidence);
    if (!result.reproduce.empty()) {
      out_ += "  reproduce: " + paint(kBold, one_line(result.reproduce)) + "\n";
    }
    out_ += "\n";
  }

  // lines appends `text` wrapped behind `indent`; lines after the first are indented alike.
  void lines(std::string_view indent, std::string_view text) {
    if (text.empty()) return;
    std::string before(indent);
    for (const std::string& line : wrap(text, columns_ - indent.size())) {
      out_ += line.empty() ? "\n" : before + line + "\n";
      before.assign(indent.size(), ' ');
    }
  }

  void evidence(const std::vector<Evidence>& evidence) {
    const std::size_t shown = std::min(evidence.size(), options_.evidence_max);
    const std::size_t hidden = evidence.size() - shown;
    if (hidden != 0) {
      out_ += paint(kDim, "  … " + std::to_string(hidden) + " earlier lines") + "\n";
    }
    for (std::size_t at = hidden; at < evidence.size(); ++at) {
      const std::string text = "  " + evidence_text(evidence[at]);
      out_ += paint(kDim, clip(one_line(text), columns_)) + "\n";
    }
  }

  void summary() {
    const Summary counts = summarize(report_);
    const Verdict overall = overall_verdict(counts);
    out_ += paint(color_of(overall), label(overall)) + "  ";
    out_ += report_.results.empty() ? "nothing ran" : summary_text(counts);
    const bool merged = report_.sweep && report_.started.empty();
    out_ += merged ? "\n" : " in " + duration_text(report_.duration_ms) + "\n";
  }

  const Report& report_;
  const ConsoleOptions& options_;
  const std::size_t columns_;
  std::string out_;
  std::size_t verdict_columns_ = 0;
  std::size_t id_columns_ = 1;
  std::size_t variant_columns_ = 0;
};

}  // namespace

std::string write_console(const Report& report, const ConsoleOptions& options) {
  return Console(report, options).write();
}

}  // namespace plumbline::reports
