// The runner builds one world for a scenario and a seed, lets the assistant do its work in it, and
// judges what came of it: the scenario's expectations, and the invariants in every run.

#pragma once

#include <cstdint>
#include <string>

#include "scenarios/world/run_result.h"

namespace plumbline::scenarios {

// run_scenario runs `scenario` once. The same seed and weather give the same result, on any
// machine. What the scenario expects is judged where the weather keeps the outcome.
RunResult run_scenario(const Scenario& scenario, const RunOptions& options);

// reproduction returns the command that runs this again.
std::string reproduction(const Scenario& scenario, std::uint64_t seed);

}  // namespace plumbline::scenarios
