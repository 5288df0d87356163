#include "core/base/words/duration_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <system_error>
#include <utility>

#include "core/base/limits.h"

namespace plumbline {

std::optional<Duration> duration_in(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, Duration>, 4> kUnits = {
      {{"ms", std::chrono::milliseconds(1)},
       {"s", std::chrono::seconds(1)},
       {"m", std::chrono::minutes(1)},
       {"h", std::chrono::hours(1)}}};
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  std::int64_t count = 0;
  const char* const end = text.data() + digits;
  const auto [read, failed] = std::from_chars(text.data(), end, count);
  const auto unit =
      std::ranges::find(kUnits, text.substr(digits), &std::pair<std::string_view, Duration>::first);
  if (failed != std::errc() || read != end || unit == kUnits.end()) return std::nullopt;
  if (count > limits::kVirtualTimeMax / unit->second) return std::nullopt;
  return count * unit->second;
}

}  // namespace plumbline
