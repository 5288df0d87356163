// RealSpawner starts child processes with posix_spawn, never through a shell.
//
// A child leads a process group of its own, has only the three standard descriptors, and starts
// with default signal handlers and none blocked. It inherits what the official SDKs let through
// (HOME, LOGNAME, PATH, SHELL, TERM, USER) and the locale and TMPDIR, then gets Command::env.
// argv[0] is looked up in the PATH that the child gets.

#pragma once

#include <memory>

#include "core/os/real_child.h"
#include "core/os/real_loop.h"
#include "core/transport/spawner.h"

namespace plumbline::os {

class RealSpawner final : public transport::Spawner {
 public:
  // Makes this process the one that orphans below it fall to, so that what a child leaves in its
  // group can be reaped as well. What leaves the group (a daemon) is nobody's to end: it runs on,
  // and once ended it stays in the process table until we end. `loop` must outlive the children.
  explicit RealSpawner(RealLoop& loop, ExitWatching watching = ExitWatching::kDescriptor);

  // implements Spawner ---
  Result<std::unique_ptr<transport::Child>> spawn(const transport::Command& command) override;

 private:
  RealLoop& loop_;
  ExitWatching watching_;
};

}  // namespace plumbline::os
