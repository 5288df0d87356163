// What a tool takes: many put all their arguments into one object.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/connector/capability.h"
#include "core/json/json.h"

namespace plumbline::agents {

// wrapper_of returns the name of the one property of a tool that takes nothing else, if that is an
// object with properties of its own: "request" of {"request": {"projectKey": ...}}.
std::optional<std::string> wrapper_of(const connector::Capability& capability);

// taken_schema returns the schema of the wrapper, or else the input schema itself.
const Json& taken_schema(const connector::Capability& capability);

// required_of returns the names of the properties that a schema of an object requires.
std::vector<std::string> required_of(const Json& schema);

}  // namespace plumbline::agents
