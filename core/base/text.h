// Text of a peer as messages show it: bounded, so that nobody fills a report by being long-winded.
//
// Redact first, then clip: a part of a secret is not recognised as one.

#pragma once

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

}  // namespace plumbline
