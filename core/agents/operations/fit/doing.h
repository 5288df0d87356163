// Doing says whether what a tool does is what is to be done: "remove" is what a tool does that
// deletes, and never what one does that adds.

#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/agents/operations/fit/wish.h"
#include "core/agents/policy/word_table.h"
#include "core/connector/capability.h"

namespace plumbline::agents {

// ToolWords are the folded words with which a capability speaks of itself.
struct ToolWords {
  std::vector<std::string> named;      // Its name and title.
  std::vector<std::string> lead;       // The first sentence of its description.
  std::vector<std::string> described;  // All of the description.
  std::vector<std::string> schema;     // Names of properties, and what they may be.
  std::vector<std::string> server;     // The name of its server.
  std::vector<std::string> told;       // What the descriptions of its properties say.

  bool speaks_of(std::string_view word) const;
};

ToolWords tool_words(const connector::Capability& capability);

// does_what_is_asked returns whether the tool does what the verb of `demand` says. `changes` is
// whether calling it changes something.
bool does_what_is_asked(const Wish::Demand& demand, const connector::Capability& tool,
                        const ToolWords& words, bool changes);

// runs_what_it_is_told returns whether a verb says only that something is to be run, and the tool
// takes what it runs as text: "run the query" of one that takes SQL.
bool runs_what_it_is_told(std::string_view verb, const ToolWords& words);

// sends_anything returns whether a thing is to be sent, by a tool that sends.
bool sends_anything(const Wish::Demand& demand, const ToolWords& words);

// is_called_after returns whether the tool's name, or the first sentence of its description, says
// the verb, or one that means the same.
bool is_called_after(const std::string& verb, const ToolWords& words);

// destroys_unasked returns whether a tool is called after deleting, and nobody asks for that.
bool destroys_unasked(const Wish& wish, const ToolWords& words);

// is_called_after_counting returns whether the tool's name says that it counts.
bool is_called_after_counting(const ToolWords& words);

// changes_what_is_shown returns whether a demand asks for nothing but to see something, and the
// tool is called after a change of it: "show the reaction" of add_reaction.
bool changes_what_is_shown(const Wish::Demand& demand, const ToolWords& words);

// only_reads returns whether a demand asks for nothing but to be told or shown something.
bool only_reads(const Wish::Demand& demand);

}  // namespace plumbline::agents
