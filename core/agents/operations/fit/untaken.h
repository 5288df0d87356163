// What a request says and a call would not heed.

#pragma once

#include <string>
#include <vector>

#include "core/agents/operations/fit/doing.h"
#include "core/agents/operations/fit/wish.h"
#include "core/agents/operations/request/extraction.h"
#include "core/connector/capability.h"

namespace plumbline::agents {

// untaken_values returns the values of the wish that the capability is neither given nor speaks of:
// a call would answer for all of them, or for others. So does one that knows nothing of the words
// which say where, how, when or for whom: "as a PDF", "every Monday".
std::vector<std::string> untaken_values(const Wish& wish, const connector::Capability& capability,
                                        const ToolWords& words, const Extraction& extraction);

}  // namespace plumbline::agents
