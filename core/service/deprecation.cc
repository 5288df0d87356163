#include "core/service/deprecation.h"

#include <array>
#include <chrono>
#include <string_view>

#include "core/base/doors/wall_clock.h"

namespace plumbline::service {

std::string http_date(Duration since_1970) {
  constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed",
                                                     "Thu", "Fri", "Sat"};
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto midnight =
      std::chrono::floor<std::chrono::days>(std::chrono::sys_time<Duration>(since_1970));
  const std::chrono::year_month_day day(midnight);
  const std::string text = rfc3339(since_1970);  // "2026-07-28T09:30:00Z"
  std::string date(kDays[std::chrono::weekday(midnight).c_encoding()]);
  date += ", " + text.substr(8, 2) + " ";
  date += kMonths[static_cast<unsigned>(day.month()) - 1];
  return date + " " + text.substr(0, 4) + " " + text.substr(11, 8) + " GMT";
}

void announce(const Deprecation& deprecation, net::HttpReply& reply) {
  const auto since = std::chrono::floor<std::chrono::seconds>(deprecation.since).count();
  reply.set_header("Deprecation", "@" + std::to_string(since));
  if (deprecation.sunset > Duration::zero()) {
    reply.set_header("Sunset", http_date(deprecation.sunset));
  }
  if (!deprecation.successor.empty()) {
    reply.set_header("Link", "<" + deprecation.successor + ">; rel=\"successor-version\"");
  }
}

}  // namespace plumbline::service
