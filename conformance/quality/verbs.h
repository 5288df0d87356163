// Verbs in the names of tools: whether there is one, and what kind of thing it does.

#pragma once

#include <string_view>

namespace plumbline::conformance {

// Deed is what a verb does with its object. Two tools of different deeds are not taken for each
// other, however alike they are otherwise.
enum class Deed {
  kNone,  // No verb that we know.
  kOther,
  kRead,
  kCreate,
  kChange,
  kDelete,
  kBegin,
  kEnd,
};

Deed deed_of(std::string_view word);

inline bool is_verb(std::string_view word) { return deed_of(word) != Deed::kNone; }

// destroys returns whether a tool whose name begins with `word` cannot be one that only reads.
bool destroys(std::string_view word);

}  // namespace plumbline::conformance
