// Characters of ASCII, whatever the locale, and short lists of words.

#pragma once

#include <algorithm>
#include <string_view>

namespace plumbline {

constexpr bool ascii_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool ascii_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool ascii_letter(char c) { return (c >= 'a' && c <= 'z') || ascii_upper(c); }
constexpr bool ascii_word(char c) { return ascii_letter(c) || ascii_digit(c); }

// beyond_ascii returns whether it is a byte of a character that is none of ASCII.
constexpr bool beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }

template <typename List>
constexpr bool is_one_of(std::string_view text, const List& list) {
  return std::ranges::find(list, text) != list.end();
}

}  // namespace plumbline
