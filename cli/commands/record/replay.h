// `replay`: a recording, played again.

#pragma once

#include <optional>
#include <string>

#include "cli/commands/command.h"
#include "scenarios/record/replayer.h"

namespace plumbline::cli {

struct ReplayOptions final : Options {
  std::string file;
  std::string serve;  // "stdio".
  scenarios::Match match = scenarios::Match::kContent;
  bool fast = false;                   // Without the waits of the recording.
  std::optional<std::size_t> session;  // From 1 on; nothing: see Replayer.

  void declare(CLI::App& app) override;
};

// Exit status: 0 all that was asked is in the recording, 1 something was not, 2 FILE is no
// recording. A recorded server that ended by itself ends again, with its own.
int run_replay(const ReplayOptions& options, Host& host);

}  // namespace plumbline::cli
