// TimerQueue keeps armed Timers in one total order: (due instant, tie, sequence).
//
// It knows no clock. Its owner, a Loop, decides what time it is and calls fire_next(). The tie is 0
// in FIFO order; a simulation that permutes equal instants passes a draw of its seed.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/loop.h"
#include "core/base/time.h"

namespace plumbline {

class TimerQueue {
 public:
  TimerQueue() = default;
  TimerQueue(const TimerQueue&) = delete;
  TimerQueue& operator=(const TimerQueue&) = delete;
  ~TimerQueue();

  // arm puts `timer` in the queue, or moves it when it is in it already. O(log n), no allocation
  // beyond the queue's own growth. A timer of another queue is a bug and aborts.
  void arm(Timer& timer, Instant due, std::uint64_t tie);

  // disarm takes `timer` out. O(log n). `timer` must be armed in this queue.
  void disarm(Timer& timer);

  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }

  // next_due returns the Instant of the first timer, kNever when there is none.
  Instant next_due() const { return heap_.empty() ? kNever : heap_.front()->due_; }

  // fire_next disarms the first timer and fires it. The queue must not be empty.
  void fire_next();

  // first returns the timer that fire_next would fire. The queue must not be empty.
  const Timer& first() const;

  // collect_due puts the timers of the first Instant into `due`, in the order they were armed,
  // whatever their ties. O(n log n) in their number.
  void collect_due(std::vector<Timer*>& due) const;

  // fire disarms `timer`, which must be armed in this queue, and fires it.
  void fire(Timer& timer);

 private:
  static bool before(const Timer& a, const Timer& b);
  void sift_up(std::size_t slot);
  void sift_down(std::size_t slot);
  void place(Timer* timer, std::size_t slot);

  std::vector<Timer*> heap_;  // A binary heap; each Timer knows its slot.
  std::uint64_t next_sequence_ = 1;
};

}  // namespace plumbline
