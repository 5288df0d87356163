// What the parts of a scenario say of each other.

#pragma once

#include <optional>

#include "core/json/object_reader.h"
#include "scenarios/format/scenario.h"

namespace plumbline::scenarios {

// check_names holds every name of a server against the servers that there are.
void check_names(const Scenario& scenario, std::optional<Problem>& problem);

}  // namespace plumbline::scenarios
