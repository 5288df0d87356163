// `run --all-orders`: every order in which the messages of a small world can be delivered.

#pragma once

#include <vector>

#include "cli/host.h"
#include "cli/options/arguments.h"
#include "scenarios/format/scenario.h"

namespace plumbline::cli {

// run_all_orders runs each scenario in every order under the first seed and publishes a row for
// each, with how many orders there are.
int run_all_orders(const std::vector<scenarios::Scenario>& scenarios, const RunOptions& options,
                   Host& host);

}  // namespace plumbline::cli
