// The "expect" part of a scenario file.

#pragma once

#include <optional>
#include <string>

#include "core/json/json.h"
#include "scenarios/format/fields.h"
#include "scenarios/format/scenario.h"
#include "scenarios/judge/route_map.h"

namespace plumbline::scenarios {

// read_expect reads `json`, which stands at `pointer`. An expected route is held against
// `routes`.
Expect read_expect(const Json& json, const std::string& pointer, const RouteMap& routes,
                   std::optional<Problem>& problem);

}  // namespace plumbline::scenarios
