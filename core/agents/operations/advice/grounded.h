// Arguments that a model has named, where the request gives them.

#pragma once

#include <optional>
#include <string_view>

#include "core/agents/operations/request/extraction.h"
#include "core/connector/capability.h"
#include "core/json/json.h"

namespace plumbline::agents {

// grounded_arguments returns the arguments of a call of `capability`: `proposed`, an object, and
// what is configured or the default of the schema beside it. Nothing, where a value of it is not
// given by the request: each text and number has to stand there ("two" is 2, "March 5, 2026" is
// 2026-03-05), or be one of the choices that the schema lists; true and false may be the model's,
// and null is as good as left out.
// So neither what a model makes up nor what a server says of itself becomes an argument.
std::optional<Extraction> grounded_arguments(const Json& proposed, std::string_view request,
                                             const connector::Capability& capability,
                                             const Json& configured);

}  // namespace plumbline::agents
