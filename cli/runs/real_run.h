// What `run --real` does: scenarios with real processes, in real time.

#pragma once

#include <vector>

#include "cli/host.h"
#include "cli/options/common_options.h"
#include "core/mcp/protocol/transports.h"
#include "scenarios/format/scenario.h"

namespace plumbline::cli {

// run_for_real runs each scenario once over `over`, one after the other, as scenarios::run_for_real
// does, and publishes the report.
int run_for_real(const std::vector<scenarios::Scenario>& scenarios, mcp::Transport over,
                 const Common& common, Host& host);

}  // namespace plumbline::cli
