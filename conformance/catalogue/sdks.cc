#include "conformance/catalogue/sdks.h"

#include <algorithm>
#include <string>

#include "conformance/catalogue/columns.h"
#include "conformance/catalogue/tables.h"

namespace plumbline::conformance {

namespace {

// lists returns whether `item` is one of "a, b, c".
bool lists(std::string_view list, std::string_view item) {
  constexpr std::string_view kBetween = ", ";
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(kBetween), list.size());
    if (list.substr(0, end) == item) return true;
    list.remove_prefix(std::min(end + kBetween.size(), list.size()));
  }
  return false;
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
  if (kind == "sign") sdk.signs.push_back({what, words});
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
    if (habit.id != row.id || !lists(habit.over, row.transport)) continue;
    const bool however = habit.verdict.empty();
    if (however || (habit.verdict == name_of(row.verdict) && habit.reason == row.reason)) {
      return &habit;
    }
  }
  return nullptr;
}

}  // namespace plumbline::conformance
