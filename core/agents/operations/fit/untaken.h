// What a request says and a call would not heed.

#pragma once

#include <string>
#include <vector>

#include "core/agents/operations/fit/doing.h"
#include "core/agents/operations/fit/wish.h"
#include "core/agents/operations/request/extraction.h"
#include "core/connector/capability.h"

namespace plumbline::agents {

// Untaken is what a capability is neither given nor speaks of: a call would answer for all, or for
// others.
struct Untaken {
  std::vector<std::string> values;  // And the order that is wanted.
  std::vector<std::string> words;   // Where, how, when, for whom: "as a PDF", "every Monday".

  bool empty() const { return values.empty() && words.empty(); }
  std::vector<std::string> all() const;
};

// untaken_by returns what the capability, called with `extraction`, would leave out of a wish.
Untaken untaken_by(const Wish& wish, const connector::Capability& capability,
                   const ToolWords& words, const Extraction& extraction);

}  // namespace plumbline::agents
