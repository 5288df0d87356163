// What stands before a server in a world of HTTP, as a scenario file says it: the member "http" of
// a server. docs/scenario-format.md describes it.

#pragma once

#include <optional>
#include <string>

#include "core/json/json.h"
#include "core/json/object_reader.h"
#include "fakes/proxy/http_rules.h"

namespace plumbline::scenarios {

// read_http_front reads the object at `pointer`. What is wrong with it becomes `problem`.
fakes::HttpFront read_http_front(const Json& json, const std::string& pointer,
                                 std::optional<Problem>& problem);

// The JSON Schemas of "http", and of what a rule of it does.
Json http_shape();
Json http_action_shape();

}  // namespace plumbline::scenarios
