// Text of a peer as messages show it: bounded, so that nobody fills a report by being long-winded.
// And text of protocols: ASCII whatever the locale.
//
// Redact first, then clip: a part of a secret is not recognised as one.

#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace plumbline {

inline constexpr std::size_t kQuotedBytesMax = 1'024;  // Of a peer's text in one message.

// beginning returns at most `bytes_max` bytes of `text`, cut between two characters of UTF-8.
inline std::string_view beginning(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  while (bytes_max > 0 && (static_cast<unsigned char>(text[bytes_max]) & 0xc0U) == 0x80U) {
    --bytes_max;
  }
  return text.substr(0, bytes_max);
}

// clipped returns `text`, or its beginning and how long it is: "abc... (1048576 bytes)".
inline std::string clipped(std::string_view text, std::size_t bytes_max = kQuotedBytesMax) {
  if (text.size() <= bytes_max) return std::string(text);
  return std::string(beginning(text, bytes_max)) + "... (" + std::to_string(text.size()) +
         " bytes)";
}

// lower_case makes the capital letters of ASCII small.
constexpr char lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = lower_case(c);
  return lower;
}

inline bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower_case(x) == lower_case(y); });
}

// trimmed returns `text` without the spaces and tabs around it.
constexpr std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text.substr(0, text.find_last_not_of(" \t") + 1);
}

}  // namespace plumbline
