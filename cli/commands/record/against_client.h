// `replay --against client`: the server of a recording, for somebody's client.

#pragma once

#include <vector>

#include "cli/commands/record/replay_options.h"
#include "scenarios/record/recording.h"

namespace plumbline::cli {

// replay_against_client serves the recording on this machine, runs the command with `{url}` and
// `{config}` (a file with "mcpServers") in its words filled in, and publishes what it asked again,
// what it did not, and what was never recorded. Returns the exit status.
int replay_against_client(const ReplayOptions& options,
                          std::vector<scenarios::RecordedSession> sessions, Host& host);

}  // namespace plumbline::cli
