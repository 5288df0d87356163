// Where a walk may be begun: a scenario for each form, by itself and from it on.

#pragma once

#include "conformance/checks/client/walk/walk.h"

namespace plumbline::conformance {

// walk_stop returns the scenario of a group that begins with the form of that number.
const ClientScenario* walk_stop(std::size_t group, std::size_t form, WalkMode mode);

}  // namespace plumbline::conformance
