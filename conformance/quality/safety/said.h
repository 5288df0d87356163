// What a text says as words: the name of an argument, or of a value of it, is taken
// apart.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/quality/reading.h"
#include "conformance/quality/safety/pattern_set.h"

namespace plumbline::conformance {

bool names_argument(const Text& text);

// is_name_of_value returns whether `text` is a value such as "skip_all_checks".
bool is_name_of_value(const Text& text);

// says_nothing returns whether `text` is too short to say anything.
bool says_nothing(std::string_view text);

// SaidText is a text, what it says, and the phrases (phrases.h) that it has the words for.
struct SaidText {
  const Text* text = nullptr;
  std::string said;
  std::vector<int> possible;
};

// said_text looks at a text of which `plain` is in sight.
SaidText said_text(const Text& text, std::string_view plain, PatternSet::Search& search);

}  // namespace plumbline::conformance
