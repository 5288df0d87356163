// Changes tells any number of coroutines that something is other than it was: each looks again
// whether what it waits for has come. Whoever changes what others may wait for tells.
//
//   const bool came = co_await changes.wait(deadline, [&] { return count == 3; });
//   ++count;
//   changes.tell();

#pragma once

#include <coroutine>
#include <utility>
#include <vector>

#include "core/base/loop.h"
#include "core/base/task.h"

namespace plumbline {

class Changes {
 public:
  // `loop` must outlive it, and it everyone who waits.
  explicit Changes(Loop& loop) : loop_(loop) {}
  Changes(const Changes&) = delete;
  Changes& operator=(const Changes&) = delete;

  // tell wakes, from the loop, everyone who waits now.
  void tell();

  class Next;

  // next suspends until tell(), or until `deadline` (kNever: no deadline). Awaiting it returns
  // whether there was something to be told.
  Next next(Instant deadline);

  // wait suspends until `condition` holds, looking each time it is told, and returns whether it
  // did by `deadline`. What `condition` refers to must outlive the Task.
  template <class Condition>
  Task<bool> wait(Instant deadline, Condition condition);

  Loop& loop() const { return loop_; }

 private:
  Loop& loop_;
  std::vector<Next*> waiters_;
};

class [[nodiscard]] Changes::Next final : public Timer {
 public:
  Next(Changes& changes, Instant deadline) : changes_(changes), deadline_(deadline) {}
  ~Next() { std::erase(changes_.waiters_, this); }

  bool await_ready() const noexcept { return changes_.loop_.now() >= deadline_; }
  void await_suspend(std::coroutine_handle<> parent) {
    parent_ = parent;
    changes_.waiters_.push_back(this);
    if (deadline_ != kNever) changes_.loop_.arm(*this, deadline_);
  }
  bool await_resume() const noexcept { return told_; }

 private:
  friend class Changes;

  void fire() override {
    std::erase(changes_.waiters_, this);
    parent_.resume();
  }

  Changes& changes_;
  Instant deadline_;
  std::coroutine_handle<> parent_;
  bool told_ = false;
};

inline void Changes::tell() {
  for (Next* const waiter : waiters_) {
    waiter->told_ = true;
    loop_.arm(*waiter, loop_.now());
  }
  waiters_.clear();
}

inline Changes::Next Changes::next(Instant deadline) { return Next(*this, deadline); }

template <class Condition>
Task<bool> Changes::wait(Instant deadline, Condition condition) {
  while (!condition()) {
    if (loop_.now() >= deadline) co_return false;
    co_await next(deadline);
  }
  co_return true;
}

}  // namespace plumbline
