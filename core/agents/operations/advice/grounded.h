// Arguments that a model has named, where the request gives them.

#pragma once

#include <optional>

#include "core/agents/operations/advice/said.h"
#include "core/agents/operations/request/extraction.h"
#include "core/connector/capability.h"
#include "core/json/json.h"

namespace plumbline::agents {

// grounded_arguments returns the arguments of a call of `capability`: `proposed`, an object, and
// what is configured or the default of the schema beside it. Nothing, where a value of it does not
// rest on the request: each text and number has to be said there, if in another form (said.h), or
// be one of the choices that the schema lists, and each member one that it knows; true and false
// may be the model's, and null is as good as left out. `request` remembers what they rest on. So
// neither what a model makes up nor what a server says of itself becomes an argument.
std::optional<Extraction> grounded_arguments(const Json& proposed, Said& request,
                                             const connector::Capability& capability,
                                             const Json& configured);

}  // namespace plumbline::agents
