// RealSpawner starts child processes with posix_spawn, never through a shell.
//
// A child leads a process group of its own, has only the three standard descriptors, and starts
// with default signal handlers and none blocked. It inherits what the official SDKs let through
// (HOME, LOGNAME, PATH, SHELL, TERM, USER) and the locale and TMPDIR, then gets Command::env.
// argv[0] is looked up in the PATH that the child gets.

#pragma once

#include <memory>

#include "core/net/spawner.h"
#include "core/os/real_loop.h"

namespace plumbline::os {

// ExitWatching is how the end of a child is seen: through a descriptor of the process (Linux 5.3
// and later), or by asking every few milliseconds. Neither needs a SIGCHLD handler.
enum class ExitWatching { kDescriptor, kPolling };

class RealSpawner final : public net::Spawner {
 public:
  // Makes this process the one that orphans below it fall to, so that what a child leaves behind
  // ends with it, or with the last child if it left the group: see Brood. `loop` must outlive the
  // children.
  explicit RealSpawner(RealLoop& loop, ExitWatching watching = ExitWatching::kDescriptor);

  // implements Spawner ---
  Result<std::unique_ptr<net::Child>> spawn(const net::Command& command) override;

 private:
  RealLoop& loop_;
  [[maybe_unused]] ExitWatching watching_;  // Of the native half.
};

}  // namespace plumbline::os
