// The end of a long text.

#pragma once

#include <cstddef>
#include <string_view>

namespace plumbline {

// end_of returns the end of `text`, at most `bytes_max` bytes. Where that is not all, it begins
// with a line, else with a word, if any begins there: what stood before tells what the rest is.
inline std::string_view end_of(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  const std::string_view end = text.substr(text.size() - bytes_max);
  for (const char between : {'\n', ' '}) {
    const std::size_t at = end.find(between);
    if (at != end.npos && at + 1 < end.size()) return end.substr(at + 1);
  }
  return end;
}

}  // namespace plumbline
