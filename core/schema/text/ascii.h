// Characters as the grammars of patterns, formats and URIs know them: ASCII, whatever the locale.

#pragma once

namespace plumbline::schema {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace plumbline::schema
