// The "expect" part of a scenario file.

#pragma once

#include <optional>
#include <string>

#include "core/json/json.h"
#include "core/json/object_reader.h"
#include "scenarios/format/scenario.h"
#include "scenarios/judge/route_map.h"

namespace plumbline::scenarios {

// read_expect reads `json`, which stands at `pointer`. An expected route is held against
// `routes`.
Expect read_expect(const Json& json, const std::string& pointer, const RouteMap& routes,
                   std::optional<Problem>& problem);

// read_user_expect reads what is to come of the requests of one of several users; read_run_expect
// what is to come of the run, in which they share the servers.
Expect read_user_expect(const Json& json, const std::string& pointer, const RouteMap& routes,
                        std::optional<Problem>& problem);
Expect read_run_expect(const Json& json, const std::string& pointer,
                       std::optional<Problem>& problem);

// The JSON Schemas of "expect", of a user's, and of a number of times.
Json expect_shape();
Json user_expect_shape();
Json count_shape();

}  // namespace plumbline::scenarios
