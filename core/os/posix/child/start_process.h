// start_process starts a program with posix_spawn, never through a shell.

#pragma once

#include <sys/types.h>

#include "core/base/result.h"
#include "core/net/spawner.h"
#include "core/os/fd.h"

namespace plumbline::os {

// StartedProcess is a child of ours that leads a process group of its own, with our ends of its
// standard streams. Nobody has asked for its end yet.
struct StartedProcess {
  pid_t pid = -1;
  Fd in;
  Fd out;
  Fd err;
};

// start_process gives a child the three standard descriptors alone, default signal handlers and
// none blocked, and the environment that net::Command says. kInvalidInput: no such program, not
// executable, no such folder, or words that no process can be given; kLimitReached: the system has
// no room for another process. The message names what it is.
Result<StartedProcess> start_process(const net::Command& command);

}  // namespace plumbline::os
