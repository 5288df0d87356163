// What a text says as words: a name of an argument is taken apart.

#pragma once

#include <string>
#include <string_view>

#include "conformance/quality/reading.h"

namespace plumbline::conformance {

bool names_argument(const Text& text);

// says_nothing returns whether `text` is too short to say anything.
bool says_nothing(std::string_view text);

// said_by returns what `text`, of which `plain` is in sight, says: of an argument's name
// "contents of .npmrc".
std::string said_by(const Text& text, std::string_view plain);

}  // namespace plumbline::conformance
