// SimSpawner starts simulated programs: what a child process is to the real world, with its
// standard streams, its signals and its end.

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/loop.h"
#include "core/base/rng.h"
#include "core/events/trace_event.h"
#include "core/net/spawner.h"
#include "fakes/world/sim_pipe.h"

namespace plumbline::fakes {

// kStderrPipeBytes is what stderr holds while nobody reads it, as on Linux.
inline constexpr std::size_t kStderrPipeBytes = 64U << 10U;

// Process is what a program can do to itself. It outlives the program.
class Process {
 public:
  // write_stderr appends to the child's stderr: a pipe that holds kStderrPipeBytes.
  virtual void write_stderr(std::string_view text) = 0;

  // stderr_full returns whether some of that could not be written yet. A program whose write does
  // not end does nothing else. on_stderr_room names what is called, from the loop, once it has.
  virtual bool stderr_full() const { return false; }
  virtual void on_stderr_room(std::function<void()> /*go_on*/) {}

  // exit ends the process: its streams close at once, the program is destroyed from the loop and
  // on_exit is called then. The first call counts.
  virtual void exit(net::ExitStatus status) = 0;

  // leave ends the process but not its group: a child of it holds its streams open until a signal
  // comes, and on_exit is called meanwhile.
  virtual void leave(net::ExitStatus status) { exit(status); }

 protected:
  ~Process() = default;
};

// Program is a running program. Destroying it must call nothing back.
class Program {
 public:
  virtual ~Program() = default;

  // ignores_terminate returns whether SIGTERM is caught and nothing done. SIGKILL always works.
  virtual bool ignores_terminate() const { return false; }
};

// ProgramFactory runs a program over its end of the standard streams. `stdio` and `process` outlive
// the Program. A null Program is a file that cannot be executed.
using ProgramFactory = std::function<std::unique_ptr<Program>(const net::Command& command,
                                                              SimPipe& stdio, Process& process)>;

class SimSpawner final : public net::Spawner {
 public:
  // LinkHook is told of each new child's streams: `ours` is the end that Child::stdio() gives out,
  // `theirs` the program's. A fault plan finds its links here, by the name of the program.
  using LinkHook = std::function<void(const std::string& name, SimPipe& ours, SimPipe& theirs)>;

  // `loop` and `events` must outlive the spawner and every child; `rng` is forked for each child.
  SimSpawner(Loop& loop, Rng rng, EventSink& events) : loop_(loop), rng_(rng), events_(events) {}

  // add registers what `argv0` runs, over streams of `options`; a second one replaces the first.
  void add(std::string argv0, const PipeOptions& options, ProgramFactory factory);

  // on_link names who hears of new links.
  void on_link(LinkHook hook) { on_link_ = std::move(hook); }

  // leave_stderr lets the stderr of children to come fill up, as a parent does that never reads it.
  void leave_stderr() { drains_stderr_ = false; }

  // spawned returns how many children were started.
  std::int64_t spawned() const { return spawned_; }

  // implements transport::Spawner ---
  //
  // Emits kConnection {"state": "started"}, and {"state": "exited", "why": ...} when it ends.
  Result<std::unique_ptr<net::Child>> spawn(const net::Command& command) override;

 private:
  struct Entry {
    PipeOptions options;
    ProgramFactory factory;
  };

  Loop& loop_;
  Rng rng_;
  EventSink& events_;
  LinkHook on_link_;
  std::map<std::string, Entry, std::less<>> programs_;
  std::int64_t spawned_ = 0;
  bool drains_stderr_ = true;
};

}  // namespace plumbline::fakes
