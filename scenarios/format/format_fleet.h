// The "fleet" part of a scenario file: hundreds of agents behind one connector.

#pragma once

#include <optional>

#include "core/json/object_reader.h"
#include "scenarios/format/scenario.h"

namespace plumbline::scenarios {

// read_fleet reads the fleet of the file, and what is expected of it. After the world: nobody else
// asks anything in such a file.
void read_fleet(ObjectReader& fields, Scenario& scenario, std::optional<Problem>& problem);

// The JSON Schemas of "fleet", and of what is expected of one.
Json fleet_shape();
Json fleet_expect_shape();

}  // namespace plumbline::scenarios
