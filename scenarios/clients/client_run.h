// A run of scripted clients against a server of ours, and what came of it.

#pragma once

#include "scenarios/world/run_result.h"

namespace plumbline::scenarios {

// run_clients runs a scenario that has clients, once, as run_scenario() does.
RunResult run_clients(const Scenario& scenario, const RunOptions& options);

}  // namespace plumbline::scenarios
