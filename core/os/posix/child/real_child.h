// RealChild is one child process and the pipes to it.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/base/lifeline.h"
#include "core/net/spawner.h"
#include "core/os/posix/child/child_process.h"
#include "core/os/posix/child/start_process.h"
#include "core/os/posix/child/stderr_tail.h"
#include "core/os/posix/real_pipe.h"
#include "core/os/real_loop.h"

namespace plumbline::os {

class RealChild final : public net::Child {
 public:
  // Takes over what start_process has started.
  RealChild(RealLoop& loop, StartedProcess started, ExitWatching watching);

  pid_t pid() const { return process_.pid(); }

  // implements Child ---
  net::Pipe& stdio() override { return stdio_; }
  std::string stderr_tail() const override { return stderr_.text(); }
  std::uint64_t stderr_bytes() const override { return stderr_.bytes(); }
  std::optional<net::ExitStatus> exit_status() const override { return status_; }
  std::size_t memory_bytes() const override;
  void on_exit(std::function<void()> done) override;
  void signal(net::Signal which) override;

 private:
  void ended(net::ExitStatus status);
  void tell();

  RealLoop& loop_;
  RealPipe stdio_;
  StderrTail stderr_;
  Alarm tell_turn_;
  std::function<void()> done_;
  std::optional<net::ExitStatus> status_;
  Lifeline lifeline_;
  ChildProcess process_;  // Last: it is ended before its streams are.
};

}  // namespace plumbline::os
