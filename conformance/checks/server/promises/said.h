// What a tool says of its answers: its description and those of the members of its outputSchema,
// sentence by sentence.

#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"

namespace plumbline::conformance {

struct Sentence {
  std::string text;             // As it is written, without its full stop.
  std::string low;              // In small letters.
  std::set<std::string> names;  // Its words, as they are written: "totalCents".
  std::set<std::string> words;  // Those of names, in small letters: "total", "cents".
};

// sentences_in returns the sentences of a text.
std::vector<Sentence> sentences_in(std::string_view text);

// said_of_answers returns what a tool says of what it answers. What is said of a member begins with
// its name.
std::vector<Sentence> said_of_answers(const Json& tool);

// names_member returns whether a sentence speaks of a member: by its name as it is written, or, of
// one word, in any case of letters.
bool names_member(const Sentence& sentence, std::string_view member);

// has_word returns whether any of the words of a name is among `words`.
template <typename Words>
bool has_word(const std::vector<std::string>& name, const Words& words) {
  for (const std::string& word : name) {
    for (const std::string_view one : words) {
      if (word == one) return true;
    }
  }
  return false;
}

// says_word returns whether a sentence has any of `words`, as a word of its own.
template <typename Words>
bool says_word(const Sentence& sentence, const Words& words) {
  for (const std::string_view one : words) {
    if (sentence.words.contains(std::string(one))) return true;
  }
  return false;
}

// each_object calls `see` with every object in an answer, up to a few thousand.
template <typename See>
void each_object(const Json& value, const See& see, int depth_max = 8) {
  if (!value.is_structured() || depth_max == 0) return;
  if (value.is_object()) see(value);
  std::size_t seen = 0;
  for (const Json& inside : value) {
    if (++seen > 500) return;
    each_object(inside, see, depth_max - 1);
  }
}

// is_objects returns whether a value is a list of objects, and not empty.
bool is_objects(const Json& value);

// step_of returns what the last place of a number is worth, as it is written: 0.01 of 3.25.
double step_of(const Json& number);

// number_text writes a number: 7600, 12.5.
std::string number_text(double number);

// may_be returns whether two numbers may be the same, but for rounding by `steps` of `step`.
bool may_be(double one, double other, double step, double steps);

}  // namespace plumbline::conformance
