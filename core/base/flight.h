// Flight is one piece of work that any number of coroutines wait for: the second who wants it done
// waits for the first.

#pragma once

#include <coroutine>
#include <list>

#include "core/base/loop.h"

namespace plumbline {

class Flight {
 public:
  // `loop` must outlive the flight, and the flight its waiters.
  explicit Flight(Loop& loop) : loop_(loop) {}
  Flight(const Flight&) = delete;
  Flight& operator=(const Flight&) = delete;

  // begin returns whether the caller has to do the work, and call land() in the end.
  bool begin() {
    if (under_way_) return false;
    return under_way_ = true;
  }

  // land wakes all who wait, from the loop.
  void land();

  class Landing;

  // landed suspends until land(); not at all when nothing is under way.
  Landing landed();

 private:
  Loop& loop_;
  bool under_way_ = false;
  std::list<Landing*> waiters_;
};

class [[nodiscard]] Flight::Landing final : public Timer {
 public:
  explicit Landing(Flight& flight) : flight_(flight) {}
  ~Landing() {
    if (waiting_) flight_.waiters_.erase(place_);
  }

  bool await_ready() const noexcept { return !flight_.under_way_; }
  void await_suspend(std::coroutine_handle<> parent) {
    parent_ = parent;
    place_ = flight_.waiters_.insert(flight_.waiters_.end(), this);
    waiting_ = true;
  }
  void await_resume() const noexcept {}

 private:
  friend class Flight;

  void fire() override { parent_.resume(); }

  Flight& flight_;
  bool waiting_ = false;
  std::list<Landing*>::iterator place_;
  std::coroutine_handle<> parent_;
};

inline Flight::Landing Flight::landed() { return Landing(*this); }

inline void Flight::land() {
  under_way_ = false;
  while (!waiters_.empty()) {
    Landing* const first = waiters_.front();
    waiters_.pop_front();
    first->waiting_ = false;
    loop_.arm(*first, loop_.now());
  }
}

}  // namespace plumbline
