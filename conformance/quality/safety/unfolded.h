// A text as a model may read it: what is hidden brought to light, look-alike letters made plain.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::conformance {

struct Unfolded {
  std::string plain;                 // Without what is not shown, in ordinary letters.
  std::vector<std::string> decoded;  // What it holds in another form: tags, bits, Base64, hex.
  bool hides = false;                // It has something that is not shown.
  bool hides_words = false;          // So much of it that words fit in, or turned direction.
};

Unfolded unfold(std::string_view text);

// look_alike returns whether two names differ by one letter put in, left out or exchanged, or only
// by letters that look the same.
bool look_alike(std::string_view a, std::string_view b);

}  // namespace plumbline::conformance
