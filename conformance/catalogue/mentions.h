// What a text has in it.

#pragma once

#include <string_view>

namespace plumbline::conformance {

// mentions returns whether `text` has `part` in it.
inline bool mentions(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}
inline bool mentions(std::string_view text, char part) {
  return text.find(part) != std::string_view::npos;
}

// mentions_any returns whether `text` has any of `parts` in it.
template <typename Parts>
bool mentions_any(std::string_view text, const Parts& parts) {
  for (const std::string_view part : parts) {
    if (mentions(text, part)) return true;
  }
  return false;
}

}  // namespace plumbline::conformance
