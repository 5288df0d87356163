// Numbers of a request that stand beside nothing that tells what they are.

#pragma once

#include <string>
#include <vector>

#include "core/agents/operations/request/extraction.h"
#include "core/agents/operations/request/request_text.h"

namespace plumbline::agents {

// is_counted_so returns whether a number may be one of the units that a property counts, where it
// does: "4821" of "email 4821" is none of days.
bool is_counted_so(const std::string& name, const RequestText& text);

// give_numbers gives several required numbers those that the request lists: "800 by 600".
void give_numbers(Extraction& extraction, const std::vector<std::string>& required,
                  const Json& properties, RequestText& request);

}  // namespace plumbline::agents
