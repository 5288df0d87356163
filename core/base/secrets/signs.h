// The bytes where a secret may be told of, of which most texts have few: what searches for secrets
// goes from one to the next.

#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace plumbline {

enum Sign : unsigned char {
  kNameSign = 1,    // Between a name and its value, or before an option.
  kTokenSign = 2,   // In the prefix of a token.
  kEscapeSign = 4,  // Before what is escaped.
  kWordSign = 8,    // In a word or a mark that may tell of what stands behind it.
};

inline constexpr std::string_view kNameSigns = "=:-@";
// By the first of them that a prefix has it is found: so the rarest are first.
inline constexpr std::string_view kTokenSigns = "-_.AJBb";
inline constexpr std::string_view kEscapeSigns = "%\\";
// The rarest letters of password, token, key, IDENTIFIED BY, setx, vault, ENV and requirepass.
inline constexpr std::string_view kWordSigns = ">|wWkKYxvVq";

inline constexpr auto kSigns = [] {
  std::array<unsigned char, 256> signs{};
  for (const char c : kNameSigns) signs[static_cast<unsigned char>(c)] |= kNameSign;
  for (const char c : kTokenSigns) signs[static_cast<unsigned char>(c)] |= kTokenSign;
  for (const char c : kEscapeSigns) signs[static_cast<unsigned char>(c)] |= kEscapeSign;
  for (const char c : kWordSigns) signs[static_cast<unsigned char>(c)] |= kWordSign;
  return signs;
}();

inline unsigned sign_of(char c) { return kSigns[static_cast<unsigned char>(c)]; }

inline unsigned signs_in(std::string_view text) {
  unsigned signs = 0;
  for (const char c : text) signs |= sign_of(c);
  return signs;
}

// next_sign returns where the next of `signs` stands, from `at`; the size of `text`: none does.
inline std::size_t next_sign(std::string_view text, std::size_t at, unsigned signs) {
  while (at < text.size() && (sign_of(text[at]) & signs) == 0) ++at;
  return at;
}

}  // namespace plumbline
