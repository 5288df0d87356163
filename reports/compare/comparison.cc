#include "reports/compare/comparison.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "core/base/check.h"
#include "core/base/errors/errors.h"
#include "reports/report_text.h"
#include "reports/text.h"

namespace plumbline::reports {

namespace {

constexpr std::array kChanges = {Change::kWorse, Change::kBetter, Change::kOther,
                                 Change::kNew,   Change::kGone,   Change::kSame};

using Key = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;

Key key_of(const CheckResult& result) {
  return {result.id, result.server, result.revision, result.transport};
}

std::map<Key, const CheckResult*> by_key(const Report& report) {
  std::map<Key, const CheckResult*> rows;
  for (const CheckResult& result : report.results) rows.emplace(key_of(result), &result);
  return rows;
}

// badness_of counts what is excused for what it is: an excuse mends nothing.
int badness_of(const CheckResult& result) {
  const bool weak = result.level.starts_with("SHOULD") || result.level == "MAY";
  if (result.verdict == Verdict::kExpectedFail) return weak ? 1 : 3;
  if (result.verdict == Verdict::kFail) return 3;
  if (result.verdict == Verdict::kInconclusive) return 2;
  return result.verdict == Verdict::kWarn ? 1 : 0;
}

Change change_of(const CheckResult& before, const CheckResult& after) {
  if (before.verdict == after.verdict) return Change::kSame;
  const int was = badness_of(before);
  const int is = badness_of(after);
  if (is == was) return Change::kOther;
  return is > was ? Change::kWorse : Change::kBetter;
}

std::string line_of(const Difference& difference, std::string_view known) {
  const CheckResult& result = difference.after != nullptr ? *difference.after : *difference.before;
  std::string line = pad(name_of(difference.change), 6) + "  ";
  if (difference.before != nullptr) line += name_of(difference.before->verdict);
  if (difference.before != nullptr && difference.after != nullptr) line += " -> ";
  if (difference.after != nullptr) line += name_of(difference.after->verdict);
  line += "  " + one_line(result.id);
  const std::string variant = variant_of(result, known);
  line += (variant.empty() ? "" : "  " + variant) + "\n";
  const bool fails = difference.after != nullptr && deserves_a_look(result);
  if (fails && !result.message.empty()) line += "        " + one_line(result.message) + "\n";
  return line;
}

}  // namespace

std::string_view name_of(Change change) {
  switch (change) {
    case Change::kWorse:
      return "worse";
    case Change::kBetter:
      return "better";
    case Change::kOther:
      return "other";
    case Change::kNew:
      return "new";
    case Change::kGone:
      return "gone";
    case Change::kSame:
      return "same";
  }
  check(false, "unknown Change");
  return {};
}

Comparison::Comparison(const Report& before, const Report& after) {
  const std::map<Key, const CheckResult*> old = by_key(before);
  for (const CheckResult& result : after.results) {
    const auto was = old.find(key_of(result));
    if (was == old.end()) {
      of_after_.push_back({Change::kNew, nullptr, &result});
    } else {
      of_after_.push_back({change_of(*was->second, result), was->second, &result});
    }
  }
  const std::map<Key, const CheckResult*> now = by_key(after);
  for (const CheckResult& result : before.results) {
    if (!now.contains(key_of(result))) gone_.push_back({Change::kGone, &result, nullptr});
  }
}

std::int64_t Comparison::count(Change change) const {
  if (change == Change::kGone) return static_cast<std::int64_t>(gone_.size());
  return std::ranges::count(of_after_, change, &Difference::change);
}

bool Comparison::fails_anew() const {
  return std::ranges::any_of(of_after_, [](const Difference& difference) {
    return difference.after->verdict == Verdict::kFail &&
           (difference.before == nullptr || difference.before->verdict != Verdict::kFail);
  });
}

Status comparable(const Report& before, const Report& after) {
  if (before.command == after.command) return Done{};
  return the_error("report.kinds", one_line(before.command), one_line(after.command));
}

std::string write_comparison(const Report& before, const Report& after) {
  const Comparison comparison(before, after);
  std::string out;
  std::string summary;
  for (const Change change : kChanges) {
    const std::span<const Difference> all =
        change == Change::kGone ? comparison.gone() : comparison.of_after();
    for (const Difference& difference : all) {
      const bool shown = difference.change == change && change != Change::kSame;
      if (shown) out += line_of(difference, after.revision);
    }
    const std::int64_t count = comparison.count(change);
    if (count == 0) continue;
    summary += (summary.empty() ? "" : ", ") + std::to_string(count) + " ";
    summary += name_of(change);
  }
  return out + (out.empty() ? "" : "\n") + (summary.empty() ? "nothing to compare" : summary) +
         "\n";
}

}  // namespace plumbline::reports
