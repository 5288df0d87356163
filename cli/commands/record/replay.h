// `replay`: a recording, played again: as its server, as its client, or as a scenario.

#pragma once

#include "cli/commands/record/replay_options.h"

namespace plumbline::cli {

// Exit status of --serve: 0 all that was asked is in the recording, 1 something was not, 2 FILE is
// no recording. A recorded server that ended by itself ends again, with its own. Of the others as
// of any judging command.
int run_replay(const ReplayOptions& options, Host& host);

}  // namespace plumbline::cli
