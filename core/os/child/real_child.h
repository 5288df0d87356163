// RealChild is one child process, which leads a process group of its own.
//
// It stays a zombie until the RealChild is destroyed: its number names the group, so a late signal
// cannot reach a stranger that was given the same number.

#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

#include "core/base/lifeline.h"
#include "core/net/spawner.h"
#include "core/os/child/brood.h"
#include "core/os/child/stderr_tail.h"
#include "core/os/fd.h"
#include "core/os/fd_watch.h"
#include "core/os/real_loop.h"
#include "core/os/real_pipe.h"

namespace plumbline::os {

// ExitWatching is how the end of a child is seen: through a descriptor of the process (Linux 5.3
// and later), or by asking every few milliseconds. Neither needs a SIGCHLD handler.
enum class ExitWatching { kDescriptor, kPolling };

class RealChild final : public net::Child {
 public:
  // ChildStreams are our ends of its standard streams.
  struct Streams {
    Fd in;
    Fd out;
    Fd err;
  };

  // Watches `pid`, a child of ours that leads its group and that nobody else reaps. kDescriptor
  // falls back to kPolling where the system does not have it.
  RealChild(RealLoop& loop, pid_t pid, Streams streams, ExitWatching watching);

  // Kills the child, wherever it went, and its group, and reaps every member of it that is our
  // child. With the last child of this process goes what any of them left behind: see Brood.
  ~RealChild() override;

  pid_t pid() const { return pid_; }

  // implements Child ---
  net::Pipe& stdio() override { return stdio_; }
  std::string stderr_tail() const override { return stderr_.text(); }
  std::optional<net::ExitStatus> exit_status() const override { return status_; }
  void on_exit(std::function<void()> done) override;
  void signal(net::Signal which) override;

 private:
  // reap waits for the child and those of its group that are our children, after the kill.
  void reap();
  // has_ended asks the system, and keeps the answer in ended_as_.
  bool has_ended();
  void look();
  void tell();

  Brood brood_;  // First: it goes last.
  RealLoop& loop_;
  pid_t pid_;
  RealPipe stdio_;
  StderrTail stderr_;
  std::optional<FdWatch> process_;  // Empty when polling.
  Alarm poll_;
  Alarm tell_turn_;
  std::function<void()> done_;
  net::ExitStatus ended_as_;
  std::optional<net::ExitStatus> status_;
  Lifeline lifeline_;
};

}  // namespace plumbline::os
