// Small letters of any script.

#pragma once

#include <string>
#include <string_view>

namespace plumbline::conformance {

// is_word_letter returns whether `c` is a letter of words to RE2's \b.
constexpr bool is_word_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// small_letters returns `text` with letters made one that RE2 takes for the same when it ignores
// case. What is no letter, or of a script that has no capitals, stays.
// So do ſ and the sign of Kelvin: has_odd_ascii tells of them.
std::string small_letters(std::string_view text);

// has_odd_ascii returns whether `text` has a letter that is an s or a k to RE2, and no letter of
// words to its \b.
bool has_odd_ascii(std::string_view text);

}  // namespace plumbline::conformance
