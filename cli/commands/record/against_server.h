// `replay --diff` and `replay --against server`: the client of a recording, played against a server
// that is there.

#pragma once

#include <vector>

#include "cli/commands/record/replay_options.h"
#include "scenarios/record/recording.h"

namespace plumbline::cli {

// replay_against_server asks the target what was asked in each of `sessions`, and publishes how the
// answers differ. Returns the exit status: kExitUnreachable when nobody answers.
int replay_against_server(const ReplayOptions& options,
                          std::vector<scenarios::RecordedSession> sessions, Host& host);

}  // namespace plumbline::cli
