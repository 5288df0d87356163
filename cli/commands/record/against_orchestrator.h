// `replay --against orchestrator`: the servers of a recording, for our orchestrator in simulation.

#pragma once

#include <vector>

#include "cli/commands/record/replay_options.h"
#include "scenarios/record/recording.h"

namespace plumbline::cli {

// replay_against_orchestrator makes a scenario of `sessions`, writes it where that was asked for,
// runs it in the orders that were asked for and publishes what came of it. Returns the exit status.
int replay_against_orchestrator(const ReplayOptions& options,
                                const std::vector<scenarios::RecordedSession>& sessions,
                                Host& host);

}  // namespace plumbline::cli
