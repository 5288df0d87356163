// A value of a request, in the type that a schema asks for.

#pragma once

#include <optional>
#include <string>

#include "core/json/json.h"

namespace plumbline::agents {

// typed turns words of the request into the type that `schema` asks for. Nothing: they are no such
// value.
std::optional<Json> typed(const Json& schema, const std::string& text);

}  // namespace plumbline::agents
