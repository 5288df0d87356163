// Words that a pattern needs: a text without them can't match, so the pattern isn't tried on it.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::conformance {

// kWordEdge before or behind a needed word: no letter of ASCII, digit or _ stands there.
inline constexpr char kWordEdge = '\x01';

using OneOf = std::vector<std::string>;

// needed_words returns lists, of each of which one word at least is in every text that `pattern`
// matches, both in small_letters; none if nothing is known to be needed. `pattern` is one of RE2
// that ignores case, without flags of its own.
std::vector<OneOf> needed_words(std::string_view pattern);

}  // namespace plumbline::conformance
