#include "conformance/catalogue/sdks.h"

#include <algorithm>
#include <string>

#include "conformance/catalogue/columns.h"
#include "conformance/catalogue/outcomes.h"
#include "conformance/catalogue/tables.h"

namespace plumbline::conformance {

namespace {

// covers returns whether every one of `reasons` is one that habits of this id over this transport
// and with this verdict have: what an SDK does never excuses what its user did beside it.
bool covers(std::span<const SdkHabit> habits, const CheckResult& row) {
  std::string_view left = row.reason;
  do {
    const std::size_t end = std::min(left.find(", "), left.size());
    const std::string_view reason = left.substr(0, end);
    const bool known = std::ranges::any_of(habits, [&](const SdkHabit& habit) {
      return habit.id == row.id && outcome::lists(habit.over, row.transport) &&
             habit.verdict == name_of(row.verdict) && habit.reason == reason;
    });
    if (!known) return false;
    if (row.verdict == Verdict::kWarn) return true;  // It fails nobody: the first reason decides.
    left.remove_prefix(std::min(end + 2, left.size()));
  } while (!left.empty());
  return true;
}

void take_line(std::vector<Sdk>& sdks, Columns& columns) {
  const std::string_view name = columns.next();
  const std::string_view kind = columns.next();
  const std::string_view what = columns.next();
  const std::string_view over = columns.next();
  const std::string_view verdict = columns.next();
  const std::string_view reason = columns.next();
  const std::string_view words = columns.next();
  if (sdks.empty() || sdks.back().name != name) sdks.push_back(Sdk{name, {}, {}, {}, {}, {}, {}});
  Sdk& sdk = sdks.back();
  if (kind == "seen") sdk.seen = what;
  if (kind == "on") sdk.on = what;
  if (kind == "bare") sdk.bare = what;
  if (kind == "sign" || kind == "hint") sdk.signs.push_back({what, over, words, kind == "hint"});
  if (kind == "does") sdk.habits.push_back({what, over, verdict, reason, words});
  if (kind == "setting") sdk.settings.push_back({what, over, verdict, reason, words});
}

}  // namespace

std::span<const Sdk> sdks() {
  static const std::vector<Sdk> kSdks = [] {
    std::vector<Sdk> sdks;
    Columns columns(table_text("sdks.tsv"));
    while (columns.next_line()) take_line(sdks, columns);
    return sdks;
  }();
  return kSdks;
}

const SdkHabit* habit_in(std::span<const SdkHabit> habits, const CheckResult& row) {
  for (const SdkHabit& habit : habits) {
    if (habit.id != row.id || !outcome::lists(habit.over, row.transport)) continue;
    if (habit.verdict.empty() || covers(habits, row)) return &habit;
  }
  return nullptr;
}

}  // namespace plumbline::conformance
