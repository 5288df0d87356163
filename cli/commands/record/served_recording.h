// `replay --serve`: the server of a recording, for whoever connects.

#pragma once

#include <vector>

#include "cli/commands/record/replay_options.h"
#include "scenarios/record/recording.h"

namespace plumbline::cli {

// serve_recording is that server until its client is gone, or over a network until a signal. Each
// client gets one of `sessions`, of which there is at least one, for itself. Returns the exit
// status.
int serve_recording(const ReplayOptions& options, std::vector<scenarios::RecordedSession> sessions,
                    Host& host);

}  // namespace plumbline::cli
