// OwnRuns starts this very program once more for each tool that judges: a run has memory and time
// of its own, and whatever a hostile server does to it, the caller is still answered.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/budget/budget.h"
#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/base/task_group.h"
#include "core/base/turns.h"
#include "core/net/spawner.h"

namespace plumbline::cli {

// OwnRun is how one ended.
struct OwnRun {
  int status = 0;         // Its exit status; kExitUnreachable when a signal ended it.
  std::string out;        // What it wrote to standard output.
  std::string err;        // The last of what it wrote to standard error.
  bool stopped = false;   // It took too long, and was told to end with what it had.
  bool too_long = false;  // It wrote more than is read: `out` is cut.
};

// RunLimits bound what callers can have started.
struct RunLimits {
  std::size_t waiting_max = 8;  // Beside the one that runs.
  std::size_t runs_max = 1000;  // In all.
  Duration time_max = std::chrono::minutes(10);
};

class OwnRuns {
 public:
  using Tell = std::function<void(std::size_t seconds, const std::string& last_line)>;

  // Both must outlive it. `program` is the path of this program.
  OwnRuns(Loop& loop, net::Spawner& spawner, std::string program, RunLimits limits)
      : loop_(loop),
        spawner_(spawner),
        program_(std::move(program)),
        limits_(limits),
        budget_(Amounts()
                    .set(Resource::kProcesses, limits.waiting_max + 1)
                    .set(Resource::kSteps, limits.runs_max)),
        turns_(loop) {}

  // run starts the program with `words` once those before it have ended, and tells each second that
  // it runs. Dropping the task has it end in good order, with the servers that it started.
  // kInvalidInput: too many wait, there were too many, or it cannot be started.
  Task<Result<OwnRun>> run(std::vector<std::string> words, Tell tell);

  // ending returns how many were dropped, and are on their way out.
  std::size_t ending() const { return farewells_.running(); }

 private:
  struct Seat;      // What a run holds, from its start to its end.
  class Streams;    // Reads it.
  class Abandoned;  // Hands it over to farewells_ where its task is dropped.

  Task<void> farewell(std::unique_ptr<Seat> seat);

  Loop& loop_;
  net::Spawner& spawner_;
  std::string program_;
  RunLimits limits_;
  Budget budget_;
  Turns turns_;
  TaskGroup farewells_;
};

}  // namespace plumbline::cli
