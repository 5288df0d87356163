// The eight log levels of RFC 5424 as MCP spells them, lowest first.

#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace plumbline::mcp {

inline constexpr std::array<std::string_view, 8> kLogLevels = {
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

// severity_of returns 0 for debug to 7 for emergency, nothing for any other word.
inline std::optional<int> severity_of(std::string_view level) {
  for (int i = 0; i < static_cast<int>(kLogLevels.size()); ++i) {
    if (kLogLevels[static_cast<std::size_t>(i)] == level) return i;
  }
  return std::nullopt;
}

}  // namespace plumbline::mcp
