// What a request gives and nothing has taken by what it is called.

#pragma once

#include <string>
#include <vector>

#include "core/agents/operations/request/extraction.h"
#include "core/agents/operations/request/request_text.h"
#include "core/connector/capability.h"
#include "core/json/json.h"

namespace plumbline::agents {

// give_pair gives two required properties of which one is the old and one the new what stands on
// both sides of "to": "rename a.b to c.d", "convert 100 USD to EUR".
void give_pair(Extraction& extraction, const std::vector<std::string>& required,
               const Json& properties, RequestText& request);

// give_the_last gives the one required property that has no value yet the one value that is left.
void give_the_last(Extraction& extraction, const std::vector<std::string>& required,
                   const Json& properties, const connector::Capability& capability,
                   RequestText& request);

// give_left_over gives what nothing has taken to properties that need not be given, also in place
// of a default.
void give_left_over(Extraction& extraction, const Json& properties,
                    const connector::Capability& capability, RequestText& request);

}  // namespace plumbline::agents
