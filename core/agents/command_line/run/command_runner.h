// CommandRunner runs commands that are permitted: so many at a time, each with a bound on its time
// and on its output, and nothing of it left behind.

#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "core/agents/command_line/rules/command_policy.h"
#include "core/agents/command_line/run/command_result.h"
#include "core/base/limits.h"
#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/base/turns.h"
#include "core/net/spawner.h"

namespace plumbline::agents::command_line {

struct RunLimits {
  Duration timeout = std::chrono::seconds(30);  // Of one command, unless it is given another.
  Duration grace = limits::kStopGrace;          // From SIGTERM to SIGKILL, and from there on.
  std::size_t output_bytes_max = 64U << 10U;    // Of stdout. Of stderr limits::kStderrBytesMax.
  std::size_t concurrent_max = 5;               // At least 1.
};

// LastLook is taken at a command when it is its turn, in the moment before it is started.
class LastLook {
 public:
  // look may change how it is started. On an Error it is not.
  virtual Status look(net::Command& command) = 0;

 protected:
  ~LastLook() = default;
};

class CommandRunner {
 public:
  // Both must outlive the runner, and it every run.
  CommandRunner(Loop& loop, net::Spawner& spawner, RunLimits limits);
  CommandRunner(const CommandRunner&) = delete;
  CommandRunner& operator=(const CommandRunner&) = delete;

  // run waits until fewer than concurrent_max commands are at work, then runs this one with its
  // stdin at its end, and returns how that went; `line` is what the result calls it.
  //
  // After `timeout`, counted from its start, its process group gets SIGTERM, and one grace later
  // SIGKILL; the status is then kTimeout, whatever it ends with. What it leaves behind in its group
  // ends with it. Dropping the task kills the group at once: nobody then knows what it did.
  //
  // With a `look`, which may be null, that refuses it the status is kBlocked.
  Task<CommandResult> run(net::Command command, std::string line, Duration timeout,
                          LastLook* look = nullptr);

  const RunLimits& limits() const { return limits_; }

 private:
  Loop& loop_;
  net::Spawner& spawner_;
  RunLimits limits_;
  Turns turns_;
};

}  // namespace plumbline::agents::command_line
