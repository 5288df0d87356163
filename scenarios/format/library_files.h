// For tests: the scenario files of the source tree.

#pragma once

#include <string>
#include <vector>

#include "scenarios/format/scenario.h"

namespace plumbline::scenarios {

// library_scenarios returns every scenario of scenarios/library, parsed once. A bad file aborts.
const std::vector<Scenario>& library_scenarios();

// sampled_scenarios returns those that a test of all of them runs: under sanitizers a sample.
std::vector<Scenario> sampled_scenarios();

// find_scenario returns the one called `id`. Aborts when there is none.
const Scenario& find_scenario(const std::string& id);

}  // namespace plumbline::scenarios
