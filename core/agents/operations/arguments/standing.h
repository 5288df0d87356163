// Values of properties of which a request says nothing.

#pragma once

#include <string>
#include <vector>

#include "core/agents/operations/request/extraction.h"
#include "core/connector/capability.h"
#include "core/json/json.h"

namespace plumbline::agents {

// give_standing gives a property what is configured for it, or else the default of its schema, or
// else, where it is required, the only value that it may have.
void give_standing(Extraction& extraction, const std::string& name, const Json& property,
                   bool required, const Json& configured);

// wrap puts the arguments into the one object that the tool takes, where it takes one.
void wrap(Extraction& extraction, const connector::Capability& capability);

}  // namespace plumbline::agents
