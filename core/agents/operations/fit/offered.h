// Offered is what a capability says of itself and is given, and what speaks against it where its
// words would fit.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/agents/operations/fit/doing.h"
#include "core/agents/operations/fit/wish.h"
#include "core/agents/operations/request/extraction.h"
#include "core/agents/policy/words.h"
#include "core/connector/capability.h"

namespace plumbline::agents {

struct Offered {
  const ToolWords& words;
  std::vector<std::string> given{};        // The words of what the request gives it.
  std::vector<std::string> given_names{};  // Those of what it is called.
  std::vector<std::string> values{};       // All values, as written, in lower case.
  bool is_given_some = false;              // The request gives it a value.
  bool is_given_more_than_ids = false;

  bool speaks_of(const std::string& word) const { return words.speaks_of(word); }
  bool serves(const std::string& word) const { return speaks_of(word) || contains(given, word); }
};

// offered_by returns what the capability of these `words` offers, called with `extraction`.
Offered offered_by(const ToolWords& words, const Extraction& extraction);

// is_page_word returns whether a word means what is at an URL, whatever it is: "page".
bool is_page_word(std::string_view word);

// is_for_reading returns whether one of the words says that contents are read.
bool is_for_reading(const std::vector<std::string>& words);

// told_by returns the folded words by which it is told how something is: size and byte of "big".
std::vector<std::string> told_by(std::string_view word);

// tells returns whether the tool tells how something is: "how big" is told by a size.
bool tells(const std::string& word, const Offered& offered);

// is_told_elsewhere returns whether it is asked how something is that is told by a property, of a
// tool that gives the whole content: the size of a file is not what stands in it.
bool is_told_elsewhere(const Wish::Demand& demand, const Offered& offered);

// is_given_what_it_takes returns whether the tool takes what the request gives by name
// ("project_id=42"), and, where it changes something, any of what the request gives at all.
bool is_given_what_it_takes(const Wish& wish, const connector::Capability& tool,
                            const Offered& offered, bool changes);

// narrows_nothing returns whether something is to be searched for in a tool that takes nothing, and
// so gives all there is.
bool narrows_nothing(const Wish::Demand& demand, const connector::Capability& tool,
                     const Offered& offered);

// wants_more_than_shown returns whether a file is to be shown somewhere, or in a way, of which the
// tool knows nothing: "print it on the office printer".
bool wants_more_than_shown(const Wish& wish, const Wish::Demand& demand, const Offered& offered);

// is_kind_word returns whether a word only says what kind of thing is meant: "file", "entry".
bool is_kind_word(std::string_view word);

}  // namespace plumbline::agents
