#include "conformance/checks/server/promises/instants.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>

namespace plumbline::conformance {

namespace {

// number_at reads `count` digits.
std::optional<int> number_at(std::string_view text, std::size_t at, std::size_t count) {
  int number = 0;
  if (at + count > text.size()) return std::nullopt;
  const auto read = std::from_chars(text.data() + at, text.data() + at + count, number);
  const bool all = read.ec == std::errc() && read.ptr == text.data() + at + count;
  return all ? std::optional(number) : std::nullopt;
}

// offset_of returns the seconds that a time is ahead of UTC, from its end: "+01:00", "Z".
std::optional<double> offset_of(std::string_view end) {
  if (end == "Z" || end == "z") return 0.0;
  const auto hours = number_at(end, 1, 2);
  const auto minutes = number_at(end, 4, 2);
  if (end.size() != 6 || (end[0] != '+' && end[0] != '-') || !hours || !minutes) {
    return std::nullopt;
  }
  return (end[0] == '-' ? -1.0 : 1.0) * (*hours * 3600.0 + *minutes * 60.0);
}

}  // namespace

std::optional<double> instant_of(std::string_view text) {
  const auto year = number_at(text, 0, 4);
  const auto month = number_at(text, 5, 2);
  const auto day = number_at(text, 8, 2);
  if (!year || !month || !day || text[4] != '-' || text[7] != '-') return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  const double midnight = static_cast<double>(days) * 86'400.0;
  if (text.size() == 10) return midnight;
  const auto hour = number_at(text, 11, 2);
  const auto minute = number_at(text, 14, 2);
  if (!hour || !minute || text[10] != 'T') return std::nullopt;
  const std::size_t end = std::min(text.find_first_of("Zz+-", 16), text.size());
  const auto offset = offset_of(text.substr(end));
  const auto second = number_at(text, 17, 2);
  if (!offset) return std::nullopt;
  return midnight + *hour * 3600.0 + *minute * 60.0 + second.value_or(0) - *offset;
}

}  // namespace plumbline::conformance
