// SimLoop is the Loop of a simulated world: virtual time that stands still within a turn and jumps
// to the next timer when nothing is due.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/base/limits.h"
#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/base/rng.h"
#include "core/base/task.h"
#include "core/base/timer_queue.h"

namespace plumbline::fakes {

// Order says in which order timers due at one Instant fire.
enum class Order {
  kFifo,      // As they were armed.
  kPermuted,  // As the seed says: the same seed gives the same order, another seed another.
};

class SimLoop final : public Loop {
 public:
  // In FIFO order.
  SimLoop() : SimLoop(Order::kFifo, Rng(0)) {}

  // `ties` is the stream that permutes equal Instants; not drawn from in FIFO order.
  SimLoop(Order order, Rng ties) : order_(order), ties_(ties) {}

  // implements Loop ---
  Instant now() const override { return now_; }
  void arm(Timer& timer, Instant when) override {
    queue_.arm(timer, std::max(when, now_), order_ == Order::kPermuted ? ties_.next() : 0);
  }

  // idle returns whether no timer is armed: nothing can happen any more by itself.
  bool idle() const { return queue_.empty(); }

  // timers returns how many timers are armed.
  std::size_t timers() const { return queue_.size(); }

  // turn fires the first timer, after moving the time to when it is due. Must not be idle().
  void turn() {
    now_ = queue_.next_due();
    queue_.fire_next();
  }

  // run_until_idle fires timers until none is due by `until` and returns how many it fired. When
  // later ones remain, the time is `until` afterwards and idle() is false; a world that falls idle
  // earlier keeps the time of its last timer.
  // kLimitReached: `turns_max` timers fired and there is still one due.
  Result<std::int64_t> run_until_idle(std::int64_t turns_max = limits::kTurnsMax,
                                      Instant until = kNever) {
    return run([] { return false; }, turns_max, until);
  }

  // run_until fires timers until `done()` is true, asked before each turn, and returns how many it
  // fired.
  // kLimitReached: as above. kDeadlineExceeded: the world fell idle, or came to `until`, undone.
  template <typename Predicate>
  Result<std::int64_t> run_until(Predicate done, std::int64_t turns_max = limits::kTurnsMax,
                                 Instant until = kNever) {
    Result<std::int64_t> turns = run(done, turns_max, until);
    if (!turns.ok() || done()) return turns;
    return undone();
  }

  // run_task starts `task`, fires timers until it is done, and returns how many it fired. Errors as
  // of run_until; the task is then still suspended.
  template <typename T>
  Result<std::int64_t> run_task(Task<T>& task, std::int64_t turns_max = limits::kTurnsMax,
                                Instant until = kNever) {
    task.start();
    return run_until([&task] { return task.done(); }, turns_max, until);
  }

 private:
  template <typename Predicate>
  Result<std::int64_t> run(Predicate done, std::int64_t turns_max, Instant until) {
    for (std::int64_t turns = 0;; ++turns) {
      if (done() || queue_.empty()) return turns;
      if (queue_.next_due() > until) {
        now_ = std::max(now_, until);
        return turns;
      }
      if (turns == turns_max) return too_many(turns_max);
      turn();
    }
  }

  Error too_many(std::int64_t turns_max) const;
  Error undone() const;

  Instant now_{};
  Order order_;
  Rng ties_;
  TimerQueue queue_;
};

}  // namespace plumbline::fakes
