#include "cli/commands/test/test_text.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "core/json/json.h"
#include "reports/report_text.h"
#include "reports/text.h"

namespace plumbline::cli {

namespace {

constexpr std::string_view kRed = "\033[31m";
constexpr std::string_view kGreen = "\033[32m";
constexpr std::string_view kYellow = "\033[33m";
constexpr std::string_view kNoPaint = "\033[0m";

std::string painted(std::string_view word, std::string_view paint, bool color) {
  return color ? std::string(paint) + std::string(word) + std::string(kNoPaint) : std::string(word);
}

std::string word_of(Verdict verdict, bool color) {
  switch (verdict) {
    case Verdict::kPass:
      return painted("pass", kGreen, color);
    case Verdict::kSkip:
      return painted("skip", kYellow, color);
    case Verdict::kExpectedFail:
      return painted("xfail", kYellow, color);
    case Verdict::kInconclusive:
      return painted("????", kYellow, color);
    case Verdict::kFail:
    case Verdict::kWarn:
      break;
  }
  return painted("FAIL", kRed, color);
}

std::string indented(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    out += "      " + reports::printable(text.substr(0, end)) + "\n";
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

// several returns whether the results are of more than one server, revision or transport.
bool several(const Report& report) {
  const auto is_first = [&report](const CheckResult& row) {
    return reports::variant_of(row) == reports::variant_of(report.results.front());
  };
  return !std::ranges::all_of(report.results, is_first);
}

std::string block(const CheckResult& row, bool names_variant, const TestText& how) {
  const std::string variant = names_variant ? reports::variant_of(row) : "";
  std::string out = word_of(row.verdict, how.color) + "  " + reports::one_line(row.title) +
                    (variant.empty() ? "" : "  [" + reports::one_line(variant) + "]") + "\n";
  if (row.verdict != Verdict::kPass) out += indented(row.message);
  if (!row.reproduce.empty()) out += "      again: " + reports::one_line(row.reproduce) + "\n";
  return out;
}

bool is_shown(const CheckResult& row, const TestText& how) {
  if (row.verdict == Verdict::kPass || row.verdict == Verdict::kExpectedFail) return how.verbose;
  return row.verdict != Verdict::kSkip || !how.quiet;
}

std::string counted(std::int64_t count, std::string_view word) {
  return count == 0 ? "" : " · " + std::to_string(count) + " " + std::string(word);
}

}  // namespace

std::string test_text(const Report& report, const TestText& how) {
  std::string out;
  const bool names_variant = several(report);
  std::map<std::string, std::size_t> alike;  // Without a verdict or skipped, by why.
  for (const CheckResult& row : report.results) {
    if (!is_shown(row, how)) continue;
    const bool open = row.verdict == Verdict::kSkip || row.verdict == Verdict::kInconclusive;
    const bool again = open && ++alike[row.message] > 1;
    if (!again || how.verbose) out += block(row, names_variant, how);
  }
  for (const auto& [why, times] : alike) {
    if (times < 2 || how.verbose) continue;
    out += "      and " + std::to_string(times - 1) + " more: " + reports::one_line(why) + "\n";
  }
  const Summary summary = summarize(report);
  const auto all = static_cast<std::int64_t>(report.results.size());
  const Verdict worst = summary.fail > 0           ? Verdict::kFail
                        : summary.inconclusive > 0 ? Verdict::kInconclusive
                        : summary.pass > 0         ? Verdict::kPass
                                                   : Verdict::kSkip;
  out += word_of(worst, how.color) + "  " + std::to_string(summary.pass) + " of " +
         std::to_string(all) + " in " + reports::duration_text(report.duration_ms) +
         counted(summary.fail, "failed") + counted(summary.inconclusive, "without a verdict") +
         counted(summary.skip, "skipped") + counted(summary.expected_fail, "in the baseline");
  const std::int64_t listed = int_or(report.target, kToolsListed, 0);
  if (listed > 0) {
    out += " · " + std::to_string(int_or(report.target, kToolsTested, 0)) + " of " +
           std::to_string(listed) + " tools tested";
  }
  out += "\n";
  const Json* const untested = find(report.target, kUntested);
  if (how.verbose && untested != nullptr && !untested->empty()) {
    std::string names;
    for (const Json& name : *untested) {
      const auto* const text = name.get_ptr<const std::string*>();
      if (text != nullptr) names += (names.empty() ? "" : ", ") + *text;
    }
    out += "      not tested: " + reports::one_line(names) + "\n";
  }
  return out;
}

}  // namespace plumbline::cli
