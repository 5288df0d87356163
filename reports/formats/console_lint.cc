#include <algorithm>
#include <string>
#include <string_view>

#include "reports/formats/console_text.h"
#include "reports/report_text.h"
#include "reports/text.h"

namespace plumbline::reports {
namespace {

constexpr std::size_t kGainsShown = 3;
constexpr std::size_t kRuleColumnsMax = 34;

std::string by_three(std::int64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

// counted returns a number with its noun: "1 tool", "1,024 tools".
std::string counted(std::int64_t number, std::string_view noun) {
  return by_three(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

// color_of_grade returns the ANSI code of a letter.
std::string_view color_of_grade(std::string_view grade) {
  if (grade == "A" || grade == "B") return "1;32";
  return grade == "C" ? "1;33" : "1;31";
}

class LintConsole {
 public:
  LintConsole(const Report& report, const ConsoleOptions& options)
      : report_(report), options_(options), text_(options) {
    for (const CheckResult& row : report.results) {
      if (is_shown(row)) id_columns_ = std::max(id_columns_, width_of(one_line(row.id)));
    }
    id_columns_ = std::min(id_columns_, kRuleColumnsMax);
  }

  std::string write() {
    text_.heading(report_);
    const Json* const all = find(report_.target, "lint");
    if (all != nullptr && all->is_array()) {
      for (const Json& one : *all) server(one, all->size() > 1);
      if (all->size() > 1) together(*all);
    }
    summary();
    return text_.take();
  }

 private:
  bool is_shown(const CheckResult& row) const {
    if (row.verdict == Verdict::kFail) return true;
    if (options_.verbose) return true;
    return row.verdict == Verdict::kWarn && !(options_.quiet && row.level == "ADVICE");
  }

  void server(const Json& one, bool several) {
    const std::string name = string_or(one, "server", "");
    const std::string grade = string_or(one, "grade", "");
    std::string line = several ? "  " + name + ":" : "";
    line += "  " + counted(int_or(one, "tools", 0), "tool") + " · about " +
            by_three(int_or(one, "tokens", 0)) +
            " tokens in every request (an estimate, within 5 %)";
    text_.add(text_.paint(color_of_grade(grade), grade) + one_line(line) + "\n");
    parts(one);
    text_.lines("   ", one_line(string_or(one, "field", "")));
    if (!options_.quiet) gains(one);
    text_.add("\n");
    bool any = false;
    for (const Verdict verdict : {Verdict::kFail, Verdict::kWarn, Verdict::kSkip, Verdict::kPass}) {
      for (const std::string_view level : {"WARNING", "ADVICE"}) {
        for (const CheckResult& row : report_.results) {
          const bool here = row.server == name && row.verdict == verdict && row.level == level;
          if (!here || !is_shown(row)) continue;
          show(row);
          any = true;
        }
      }
    }
    if (any) text_.add("\n");
  }

  void parts(const Json& one) {
    const Json* const list = find(one, "parts");
    if (list == nullptr) return;
    std::string line;
    for (const Json& part : *list) {
      line += (line.empty() ? "" : " · ") + string_or(part, "part", "") + " " +
              string_or(part, "grade", "");
    }
    text_.lines("   ", one_line(line));
  }

  // gains says what raises the grade, the most first.
  void gains(const Json& one) {
    const Json* const list = find(one, "gains");
    if (list == nullptr || list->empty()) return;
    std::size_t shown = 0;
    for (const Json& gain : *list) {
      if (shown++ == kGainsShown && !options_.verbose) break;
      const std::string line = string_or(gain, "part", "") + " " + string_or(gain, "from", "") +
                               " to " + string_or(gain, "to", "") + ": " +
                               string_or(gain, "what", "");
      text_.lines(shown == 1 ? "   next  " : "         ", one_line(line));
    }
  }

  void show(const CheckResult& row) {
    const bool advice = row.verdict == Verdict::kWarn && row.level == "ADVICE";
    const std::string mark = advice ? "note" : std::string(label(row.verdict));
    const std::string id = pad(one_line(row.id), id_columns_);
    const std::string seen = one_line(row.message.empty() ? row.title : row.message);
    text_.add(text_.paint(advice ? kDim : color_of(row.verdict), pad(mark, 4)) + "  " +
              text_.paint(kBold, id) + "  ");
    const bool whole = row.verdict == Verdict::kFail || options_.verbose;
    if (!whole && advice) {
      text_.add(clip(seen, text_.columns() - id_columns_ - 8) + "\n");
      return;
    }
    text_.add(one_line(row.title) + "\n");
    text_.lines("      ", row.message.empty() ? "" : seen);
    if (row.verdict == Verdict::kFail) text_.reproduce("      ", row);
  }

  void together(const Json& all) {
    std::int64_t tools = 0;
    std::int64_t tokens = 0;
    for (const Json& one : all) {
      tools += int_or(one, "tools", 0);
      tokens += int_or(one, "tokens", 0);
    }
    text_.lines("", "together: " + std::to_string(all.size()) + " servers, " + by_three(tools) +
                        " tools, about " + by_three(tokens) + " tokens in every request");
    text_.add("\n");
  }

  void summary() {
    std::int64_t warnings = 0;
    std::int64_t advice = 0;
    for (const CheckResult& row : report_.results) {
      if (row.verdict != Verdict::kWarn) continue;
      ++(row.level == "ADVICE" ? advice : warnings);
    }
    const Summary counts = summarize(report_);
    const Verdict overall = overall_verdict(counts);
    std::string line = counted(static_cast<std::int64_t>(report_.results.size()), "rule") + ": " +
                       std::to_string(counts.fail) + " fail, " + std::to_string(warnings) +
                       " warn, " + std::to_string(advice) + " advise; took " +
                       duration_text(report_.duration_ms);
    if (counts.fail + warnings + advice > 0) line += "; plumbline explain ID says why it matters";
    text_.add(text_.paint(color_of(overall), label(overall)) + "  " + line + "\n");
  }

  const Report& report_;
  const ConsoleOptions& options_;
  ConsoleText text_;
  std::size_t id_columns_ = 1;
};

}  // namespace

std::string write_lint_console(const Report& report, const ConsoleOptions& options) {
  return LintConsole(report, options).write();
}

}  // namespace plumbline::reports
