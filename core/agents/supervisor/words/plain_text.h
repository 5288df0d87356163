// Text without what stands around it.

#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace plumbline::agents::supervisor {

// stripped returns `text` without the spaces, tabs and line breaks around it.
constexpr std::string_view stripped(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

// with_full_stop returns a sentence that ends as one.
inline std::string with_full_stop(std::string text) {
  if (!text.empty() && text.back() != '.') text += '.';
  return text;
}

}  // namespace plumbline::agents::supervisor
