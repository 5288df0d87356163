// Percent-encoding as URIs and forms have it: RFC 3986 section 2.1.

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

// percent_decode turns %41 into A; an incomplete escape stays as it is.
std::string percent_decode(std::string_view text);

}  // namespace plumbline
