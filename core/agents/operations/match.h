// How well the words of a request fit those with which a capability speaks of itself.

#pragma once

#include "core/agents/operations/asked.h"
#include "core/agents/operations/fit/doing.h"
#include "core/agents/operations/fit/wish.h"
#include "core/connector/capability.h"

namespace plumbline::agents {

// kRelevantMin is what a candidate needs, and a word of its name or two of its description.
inline constexpr int kRelevantMin = 5;

// Match is how well the words of a request fit a capability.
struct Match {
  int score = 0;           // 0: too little does.
  int server = 0;          // Makes it relevant, and is no reason to prefer it to another.
  bool verb_only = false;  // Nothing fits but what is done: "write" of "write_file".
  bool full_name = false;  // The request says its name, which is no ordinary word.
};

// match compares the words alone: what is done, and given, is for fit.h.
Match match(const Asked& asked, const connector::Capability& capability, const ToolWords& words);

// is_to_count returns whether "how many" is asked.
bool is_to_count(const Wish& wish);

}  // namespace plumbline::agents
