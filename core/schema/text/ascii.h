// Characters as the grammars of patterns, formats and URIs know them: ASCII, whatever the locale.

#pragma once

namespace plumbline::schema {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// hex_digit returns the value of a hexadecimal digit, -1 for any other character.
constexpr int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace plumbline::schema
