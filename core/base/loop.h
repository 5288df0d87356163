// Loop is the only way to learn the time or to wait for it.
//
// A program has exactly one Loop a thread, made in its composition root and handed down by
// reference: fakes::SimLoop in simulation, os::RealLoop against real subjects. Both keep their
// timers in the same TimerQueue, so what is proved in simulation holds outside it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "core/base/time.h"

namespace plumbline {

class TimerQueue;

// Timer is something that wants to be woken. The object itself sits in the queue, so arming one
// allocates nothing; destroying it disarms it.
class Timer {
 public:
  Timer() = default;
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // armed returns whether fire() is still to come.
  bool armed() const { return queue_ != nullptr; }

  // due returns when it fires. Meaningful only while armed().
  Instant due() const { return due_; }

 protected:
  ~Timer() { disarm(); }

  // disarm forgets a pending wake-up. No-op unless armed().
  void disarm();

 private:
  friend class TimerQueue;

  // fire is called once, from the loop, after the timer has been disarmed: it may arm itself
  // again, and it may destroy itself.
  virtual void fire() = 0;

  TimerQueue* queue_ = nullptr;
  Instant due_{};
  std::uint64_t tie_ = 0;
  std::uint64_t sequence_ = 0;
  std::size_t slot_ = 0;
};

class Loop {
 public:
  // now returns the current Instant. Constant while one callback runs.
  virtual Instant now() const = 0;

  // arm makes `timer` fire once, from the loop, as soon as now() >= `when`. Timers due at the same
  // Instant fire in the order they were armed, or in an order permuted by the seed where the
  // simulation says so. An Instant in the past fires on the next turn, never from inside arm().
  // Arming an armed timer moves it.
  virtual void arm(Timer& timer, Instant when) = 0;

 protected:
  ~Loop() = default;
};

// Alarm is a Timer that calls a function.
class Alarm final : public Timer {
 public:
  explicit Alarm(std::function<void()> on_fire) : on_fire_(std::move(on_fire)) {}
  ~Alarm() = default;

  void cancel() { disarm(); }

 private:
  void fire() override { on_fire_(); }

  std::function<void()> on_fire_;
};

}  // namespace plumbline
