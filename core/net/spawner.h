// Spawner starts child processes and hands out their standard streams.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/net/pipe.h"

namespace plumbline::net {

// Command is what to start, without a shell.
struct Command {
  std::vector<std::string> argv;
  std::map<std::string, std::string> env;
  std::string cwd;      // Empty: ours.
  std::string program;  // Its path, whatever argv[0] says; empty: argv[0] is looked up in PATH.

  // given is what the child finds to read at its descriptor 3, of at most 32 KiB; empty: nothing is
  // there.
  std::string given;

  // inherits: `env` is added to a small inherited set (PATH, HOME, LANG ...); else it is all.
  bool inherits = true;

  Command() = default;
  explicit Command(std::vector<std::string> words) : argv(std::move(words)) {}
};

// ExitStatus is how a child ended: by itself with a code, or by a signal.
struct ExitStatus {
  int code = 0;
  int signal = 0;  // 0: by itself.
  friend bool operator==(const ExitStatus&, const ExitStatus&) = default;
};

// describe returns "exit code 3" or "signal 9 (SIGKILL)".
std::string describe(ExitStatus status);

enum class Signal { kTerminate, kKill };

// Child is one started process. Destroying it kills what is left of its process group at once and
// reaps it: no zombie, no orphan.
class Child {
 public:
  virtual ~Child() = default;

  // stdio returns the pipe to its stdin and from its stdout.
  virtual Pipe& stdio() = 0;

  // stderr_tail returns the last bytes it wrote to stderr, at most limits::kStderrBytesMax. stderr
  // is always drained, read or not: a full pipe would freeze the child.
  virtual std::string stderr_tail() const = 0;

  // stderr_bytes returns how many bytes it wrote to stderr in all, so far.
  virtual std::uint64_t stderr_bytes() const = 0;

  // exit_status returns nothing while it runs.
  virtual std::optional<ExitStatus> exit_status() const = 0;

  // memory_bytes returns how much memory it holds now. 0: unknown, or it has ended.
  virtual std::size_t memory_bytes() const { return 0; }

  // on_exit names a function that is called once, from the loop, when it has ended; soon, when it
  // has already. Naming another one replaces it. The function may destroy the Child.
  virtual void on_exit(std::function<void()> done) = 0;

  // signal goes to the child's whole process group. No-op once every member has ended.
  virtual void signal(Signal which) = 0;
};

class Spawner {
 public:
  // spawn starts a child. kInvalidInput: no such program, not executable, no such folder; the
  // message names it.
  virtual Result<std::unique_ptr<Child>> spawn(const Command& command) = 0;

 protected:
  ~Spawner() = default;
};

// stop ends a child as the stdio transport asks: close stdin, wait `grace`, SIGTERM to its group,
// wait `grace`, SIGKILL to its group. Returns how it ended, kDeadlineExceeded when it is still
// there one `grace` after the KILL. Takes the child's on_exit; dropping the Task gives it up.
//
// Spec 2025-11-25, basic/lifecycle, Shutdown, stdio (SHOULD).
Task<Result<ExitStatus>> stop(Loop& loop, Child& child, Duration grace);

}  // namespace plumbline::net
