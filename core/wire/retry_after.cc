#include "core/wire/retry_after.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <string_view>

namespace plumbline::wire {

namespace {

constexpr std::int64_t kRetryAfterSecondsMax = 1'000'000'000;

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return std::min(number, kRetryAfterSecondsMax);
}

// seconds_of reads "Sun, 06 Nov 1994 08:49:37 GMT".
std::optional<std::int64_t> seconds_of(std::string_view date) {
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  constexpr std::size_t kLength = 29;
  if (date.size() != kLength || !date.ends_with(" GMT")) return std::nullopt;
  const auto day = number_in(date.substr(5, 2));
  const auto month = std::ranges::find(kMonths, date.substr(8, 3));
  const auto year = number_in(date.substr(12, 4));
  const auto hour = number_in(date.substr(17, 2));
  const auto minute = number_in(date.substr(20, 2));
  const auto second = number_in(date.substr(23, 2));
  if (!day || month == kMonths.end() || !year || !hour || !minute || !second) return std::nullopt;
  const std::chrono::year_month_day civil(
      std::chrono::year(static_cast<int>(*year)),
      std::chrono::month(static_cast<unsigned>(month - kMonths.begin()) + 1),
      std::chrono::day(static_cast<unsigned>(*day)));
  if (!civil.ok()) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(civil).time_since_epoch().count();
  return ((days * 24 + *hour) * 60 + *minute) * 60 + *second;
}

}  // namespace

std::optional<Duration> retry_after(const HttpHeaders& headers) {
  const auto value = headers.get("Retry-After");
  if (!value) return std::nullopt;
  if (const auto seconds = number_in(*value)) return std::chrono::seconds(*seconds);
  const auto then = seconds_of(*value);
  const auto now = seconds_of(headers.get("Date").value_or(""));
  if (!then || !now) return std::nullopt;
  return std::chrono::seconds(std::clamp<std::int64_t>(*then - *now, 0, kRetryAfterSecondsMax));
}

}  // namespace plumbline::wire
