// Fit decides whether a capability does what a request asks for. Selection ranks what fits; what
// does not is never used, however many words it shares with the request: an answer to another
// question is worse than none.

#pragma once

#include "core/agents/operations/arguments/arguments.h"
#include "core/agents/operations/fit/doing.h"
#include "core/agents/operations/fit/wish.h"
#include "core/connector/capability.h"

namespace plumbline::agents {

// fits_wish returns whether the capability of these `words`, called with `extraction`, does what is
// wished for: each thing that is asked for is one that it speaks of or is given, what is to be done
// with it is what it does, and a resource is the one that is meant. `changes` is whether calling it
// changes something: then a person sees the call before, and one clause that fits is enough.
bool fits_wish(const Wish& wish, const connector::Capability& capability, const ToolWords& words,
               const Extraction& extraction, bool changes);

}  // namespace plumbline::agents
