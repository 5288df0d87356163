// Hexadecimal digits, and percent-encoding as URIs and forms have it: RFC 3986 section 2.1.

#pragma once

#include <string>
#include <string_view>

namespace plumbline {

// hex_digit returns the value of a hexadecimal digit, -1 for any other character.
constexpr int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// hex_of returns bytes as hexadecimal digits, two each, in lower case.
inline std::string hex_of(std::string_view bytes) {
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  std::string out;
  out.reserve(2 * bytes.size());
  for (const char each : bytes) {
    const auto byte = static_cast<unsigned char>(each);
    out += kHexDigits[byte >> 4U];
    out += kHexDigits[byte & 15U];
  }
  return out;
}

// percent_decode turns %41 into A; an incomplete escape stays as it is.
std::string percent_decode(std::string_view text);

}  // namespace plumbline
