// RealLoop is the Loop of the real world: monotonic time, sockets, processes and signals.
//
// It keeps its timers in the same TimerQueue as the simulation and waits for descriptors with
// Boost.Asio, which only the sources of this folder see. While messages come one after the other it
// looks for the next one for a moment before it sleeps: see Spinning. One thread uses it.

#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/base/timer_queue.h"
#include "core/os/spinning.h"

namespace boost::asio {
class io_context;
}

namespace plumbline::os {

class RealLoop final : public Loop {
 public:
  // The first Instant is now. Makes the process ignore SIGPIPE, so that a write to a peer that is
  // gone is an error code and not the end of us, and opens standard descriptors that are closed.
  RealLoop();
  ~RealLoop();
  RealLoop(const RealLoop&) = delete;
  RealLoop& operator=(const RealLoop&) = delete;

  // implements Loop ---
  Instant now() const override;
  void arm(Timer& timer, Instant when) override;

  // run_until calls back what is due until `finished()` returns true; it is asked after each
  // callback. Returns false when stop() came first, or when nothing is left that could ever call
  // back.
  template <typename Finished>
  bool run_until(Finished finished) {
    while (!finished()) {
      if (std::exchange(stopping_, false) || !step()) return false;
    }
    return true;
  }

  // stop makes the running or next run_until return once the current callback has. It may be run
  // again afterwards.
  void stop() { stopping_ = true; }

  // step makes one callback, waiting for it when none is due. It may return without one, for
  // another try. Returns false when nothing is left that could call back.
  bool step();

  // context is what the Asio objects of this folder are made with.
  boost::asio::io_context& context();

 private:
  struct Impl;

  bool wait(Instant since);
  void wake_at(Instant when);

  std::unique_ptr<Impl> impl_;
  TimerQueue timers_;
  bool stopping_ = false;
  int timers_in_a_row_ = 0;
  Instant timers_since_{};  // The first of them.
  Spinning spinning_;
  // now() is the same for a whole callback, and is read when it is first asked for.
  bool in_callback_ = false;
  mutable std::optional<Instant> callback_now_;
};

// run drives `task` until it is done and returns what it returned. Nothing: stop() came first, or
// the task waits for something that cannot happen; it is dropped then.
template <typename T>
std::optional<T> run(RealLoop& loop, Task<T> task) {
  task.start();
  if (!loop.run_until([&task] { return task.done(); })) return std::nullopt;
  return std::move(task.result());
}

// run of a task without a result returns whether it was done.
inline bool run(RealLoop& loop, Task<void> task) {
  task.start();
  return loop.run_until([&task] { return task.done(); });
}

}  // namespace plumbline::os
