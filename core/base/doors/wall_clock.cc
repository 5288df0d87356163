#include "core/base/doors/wall_clock.h"

#include <chrono>
#include <cstdint>
#include <string_view>

namespace plumbline {

namespace {

std::string digits(std::int64_t number, std::size_t width) {
  std::string text = std::to_string(number);
  return text.size() < width ? std::string(width - text.size(), '0') + text : text;
}

}  // namespace

std::string rfc3339(Duration since_1970) {
  using std::chrono::days;
  const auto at = std::chrono::floor<std::chrono::seconds>(std::chrono::sys_time(since_1970));
  const auto midnight = std::chrono::floor<days>(at);
  const std::chrono::year_month_day day(midnight);
  const std::chrono::hh_mm_ss time(at - midnight);
  return digits(static_cast<int>(day.year()), 4) + '-' +
         digits(static_cast<unsigned>(day.month()), 2) + '-' +
         digits(static_cast<unsigned>(day.day()), 2) + 'T' + digits(time.hours().count(), 2) + ':' +
         digits(time.minutes().count(), 2) + ':' + digits(time.seconds().count(), 2) + 'Z';
}

}  // namespace plumbline
