// `run --all-orders`: every order in which the messages of a small world can be delivered.

#pragma once

#include <cstdint>
#include <vector>

#include "cli/host.h"
#include "cli/options/common_options.h"
#include "scenarios/format/scenario.h"

namespace plumbline::cli {

// run_all_orders runs each scenario in every order under `seed` and publishes a row for
// each, with how many orders there are.
int run_all_orders(const std::vector<scenarios::Scenario>& scenarios, std::uint64_t seed,
                   const Common& common, Host& host);

}  // namespace plumbline::cli
