// A text that fits a pattern, for a parameter of which nothing else is known.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace plumbline::schema {

// Of a pattern, and of what is made of it.
inline constexpr std::size_t kSampledPatternBytesMax = 500;
inline constexpr std::size_t kPatternSampleBytesMax = 200;

// text_of_pattern returns a short text that `pattern` matches: "PK1" for "^PK\d+$". Nothing: it is
// longer than kSampledPatternBytesMax, or has something that is not made here: lookaround,
// references, \p and \u, or what needs more than kPatternSampleBytesMax.
std::optional<std::string> text_of_pattern(std::string_view pattern);

// matches_pattern returns whether `pattern` is found in `text`; false where nobody can tell.
bool matches_pattern(std::string_view pattern, std::string_view text);

}  // namespace plumbline::schema
