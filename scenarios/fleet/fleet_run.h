// A run of a fleet behind one connector, and what came of it.

#pragma once

#include "scenarios/world/run_result.h"

namespace plumbline::scenarios {

// run_fleet runs a scenario that has a fleet, once, as run_scenario() does. Of the weather only the
// order of equal Instants counts: what goes wrong is in the file.
RunResult run_fleet(const Scenario& scenario, const RunOptions& options);

}  // namespace plumbline::scenarios
