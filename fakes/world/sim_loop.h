// SimLoop is the Loop of a simulated world: virtual time that stands still within a turn and jumps
// to the next timer when nothing is due.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/limits.h"
#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/base/rng.h"
#include "core/base/task.h"
#include "core/base/timer_queue.h"
#include "fakes/world/actor.h"

namespace plumbline::fakes {

// Order says in which order timers due at one Instant fire.
enum class Order {
  kFifo,      // As they were armed.
  kPermuted,  // As the seed says: the same seed gives the same order, another seed another.
  kChosen,    // As a Chooser says.
};

// Schedule says which timer of several goes first, each time there are several: by its place among
// them, in the order they were armed. Beyond its end the first one goes first.
using Schedule = std::vector<std::uint32_t>;

// Chooser picks among the timers that are due at one Instant.
class Chooser {
 public:
  // choose returns the place of the timer that goes first. `due` is not empty, and in the order
  // they were armed.
  virtual std::size_t choose(const std::vector<Origin>& due) = 0;

 protected:
  ~Chooser() = default;
};

// ScheduleChooser does as a Schedule says. A place that there is not is the last.
class ScheduleChooser final : public Chooser {
 public:
  // `schedule` must outlive the chooser.
  explicit ScheduleChooser(const Schedule& schedule) : schedule_(schedule) {}

  // implements Chooser ---
  std::size_t choose(const std::vector<Origin>& due) override;

 private:
  const Schedule& schedule_;
  std::size_t next_ = 0;
};

class SimLoop final : public Loop {
 public:
  // In FIFO order.
  SimLoop() : SimLoop(Order::kFifo, Rng(0)) {}

  // `ties` is the stream that permutes equal Instants; not drawn from in FIFO order.
  SimLoop(Order order, Rng ties) : order_(order), ties_(ties) {}

  // In the order that `chooser` says, which must outlive the loop.
  explicit SimLoop(Chooser& chooser) : order_(Order::kChosen), ties_(0), chooser_(&chooser) {}

  // write_schedule makes the loop append to `schedule`, which must outlive it, how it orders equal
  // Instants: the same world under that schedule goes the same way.
  void write_schedule(Schedule& schedule) { written_ = &schedule; }

  // implements Loop ---
  Instant now() const override { return now_; }
  void arm(Timer& timer, Instant when) override {
    queue_.arm(timer, std::max(when, now_), order_ == Order::kPermuted ? ties_.next() : 0);
    if (chooser_ != nullptr) track(timer);
  }

  // idle returns whether no timer is armed: nothing can happen any more by itself.
  bool idle() const { return queue_.empty(); }

  // timers returns how many timers are armed.
  std::size_t timers() const { return queue_.size(); }

  // turn fires the first timer, after moving the time to when it is due. Must not be idle().
  void turn() {
    now_ = queue_.next_due();
    if (chooser_ != nullptr || written_ != nullptr) return turn_of_several();
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

  void track(Timer& timer);
  void turn_of_several();
  std::size_t choose();
  Error too_many(std::int64_t turns_max) const;
  Error undone() const;

  Instant now_{};
  Order order_;
  Rng ties_;
  Chooser* chooser_ = nullptr;
  Schedule* written_ = nullptr;
  std::uint32_t actor_ = 0;                 // Whose turn it is.
  std::vector<std::uint64_t> armed_;        // How many timers each actor armed.
  std::map<const Timer*, Origin> origins_;  // Of all that were armed; never walked through.
  std::vector<Timer*> due_;
  std::vector<Origin> due_origins_;
  TimerQueue queue_;
};

}  // namespace plumbline::fakes
