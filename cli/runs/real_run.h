// What `run --real` does: the servers of a scenario are child processes, `plumbline serve`, and the
// orchestrator does its work with them over real pipes or sockets, in real time.

#pragma once

#include <vector>

#include "cli/host.h"
#include "cli/options/common_options.h"
#include "core/mcp/protocol/transports.h"
#include "scenarios/format/scenario.h"

namespace plumbline::cli {

// run_for_real runs each scenario once over `over`, one after the other, and publishes the report.
// Invariants and expectations are those of the simulation, but for the two about virtual time, and
// for "starts" over sockets, where they count sessions. What a process cannot show is skipped with
// the reason: faults of a simulated link, crashes of the assistant, other transports, waits of more
// than ten seconds, servers that remember what they did before a restart.
int run_for_real(const std::vector<scenarios::Scenario>& scenarios, mcp::Transport over,
                 const Common& common, Host& host);

}  // namespace plumbline::cli
