// ChildProcess is a started process without its streams: it tells how it ended, takes signals, and
// leaves nothing of it behind.
//
// It stays a zombie until the ChildProcess is destroyed: its number names the group, so a late
// signal cannot reach a stranger that was given the same number.

#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>

#include "core/net/spawner.h"
#include "core/os/child/real_spawner.h"
#include "core/os/fd_watch.h"
#include "core/os/posix/child/brood.h"
#include "core/os/real_loop.h"

namespace plumbline::os {

class ChildProcess {
 public:
  // Watches `pid`, a child of ours that leads its group and that nobody else reaps. `on_end` is
  // called once, from the loop; it may destroy the ChildProcess. kDescriptor falls back to kPolling
  // where the system does not have it.
  ChildProcess(RealLoop& loop, pid_t pid, ExitWatching watching,
               std::function<void(net::ExitStatus)> on_end);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Kills the child, wherever it went, and its group, and reaps every member of it that is our
  // child. With the last child of this process goes what any of them left behind: see Brood.
  ~ChildProcess();

  pid_t pid() const { return pid_; }

  // signal sends the signal of this number to the child's whole process group. No-op once every
  // member has ended.
  void signal(int number);

 private:
  // reap waits for the child and those of its group that are our children, after the kill.
  void reap();
  void look();

  Brood brood_;  // First: it goes last.
  RealLoop& loop_;
  pid_t pid_;
  std::function<void(net::ExitStatus)> on_end_;
  std::optional<FdWatch> process_;  // Empty when polling.
  Alarm poll_;
};

}  // namespace plumbline::os
