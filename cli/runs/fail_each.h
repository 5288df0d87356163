// What `run --fail-each-operation` does: every operation of a scenario fails once.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/host.h"
#include "cli/options/common_options.h"
#include "scenarios/format/scenario.h"

namespace plumbline::cli {

// fail_each_operation runs the scenarios under `seed`, once for each operation
// that is to fail, and publishes one row for each scenario. Returns the exit status.
int fail_each_operation(const std::vector<scenarios::Scenario>& scenarios, std::uint64_t seed,
                        const Common& common, Host& host);

// plant puts `defects` into the orchestrator of every scenario.
void plant(std::vector<scenarios::Scenario>& scenarios, const std::vector<std::string>& defects);

}  // namespace plumbline::cli
