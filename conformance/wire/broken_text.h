// What is wrong with a text that ought to be a message, and is no JSON.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/json/json.h"

namespace plumbline::conformance {

// Members of what a log keeps of such a text, next to its beginning.
inline constexpr const char* kHalfCharacter = "half";
inline constexpr const char* kBrokenMessage = "wrong";

// BrokenText is what is told of it. Both are empty where the text is no whole message on one line.
struct BrokenText {
  std::string half;   // Half a character in an escape, as \ud83c: it is JSON without that.
  std::string wrong;  // Else what makes it no JSON: NaN, a comma too many.
  Json repaired;      // Where there is a half: the message with U+FFFD in its place.
};

BrokenText read_broken(std::string_view text);

// read_not_utf8 reads a text that is JSON but for bytes which are not UTF-8, with U+FFFD for each,
// as clients' decoders do. Nothing: it is UTF-8, or no JSON either way.
std::optional<Json> read_not_utf8(std::string_view text);

// is_two_messages returns whether a text begins with a whole JSON object and goes on with another.
bool is_two_messages(std::string_view text);

// deepened returns how much deeper JSON nests behind `line`; nothing where it ends in a string.
std::optional<int> deepened(std::string_view line);

}  // namespace plumbline::conformance
