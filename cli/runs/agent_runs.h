// What `run --client` does: a command that is somebody's agent or client is put into scenarios.

#pragma once

#include <vector>

#include "cli/host.h"
#include "cli/options/common_options.h"
#include "scenarios/format/scenario.h"
#include "scenarios/real/command_run.h"

namespace plumbline::cli {

// run_agent runs the command once for each scenario, `jobs` at one time, and publishes the report.
// A timeout of `common` is how long one run may take.
int run_agent(const std::vector<scenarios::Scenario>& scenarios, scenarios::AgentCommand agent,
              int jobs, const Common& common, Host& host);

}  // namespace plumbline::cli
