#include "core/json/position.h"

#include <algorithm>

namespace plumbline {

Position position_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t newline = before.rfind('\n');
  const auto lines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t line_start = newline == std::string_view::npos ? 0 : newline + 1;
  return Position{lines + 1, before.size() - line_start + 1};
}

std::string describe(Position at) {
  return "line " + std::to_string(at.line) + " column " + std::to_string(at.column);
}

}  // namespace plumbline
