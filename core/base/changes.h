// Changes wakes, from the loop, everyone who waits for something to have changed: who waits looks
// then whether it is what he waits for.
//
//   changes.note();                                                    // Here something happens,
//   const bool ready = co_await changes.once(deadline, is_ready);  // and here it is waited for.

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

  // note wakes everyone who waits by now.
  void note();

  class Next;

  // next suspends until something has changed, or until `deadline`: then it returns false.
  Next next(Instant deadline);

  // once suspends until `condition` holds and returns true, or until `deadline`: then it returns
  // false. It is looked at when something has changed. What it refers to must outlive the task.
  template <class Condition>
  Task<bool> once(Instant deadline, Condition condition);

 private:
  Loop& loop_;
  std::vector<Next*> waiters_;
};

class [[nodiscard]] Changes::Next final : public Timer {
 public:
  Next(Changes& changes, Instant deadline) : changes_(changes), deadline_(deadline) {}
  ~Next() { std::erase(changes_.waiters_, this); }

  bool await_ready() const { return changes_.loop_.now() >= deadline_; }
  void await_suspend(std::coroutine_handle<> parent) {
    parent_ = parent;
    changes_.waiters_.push_back(this);
    if (deadline_ != kNever) changes_.loop_.arm(*this, deadline_);
  }
  bool await_resume() const noexcept { return woken_; }

 private:
  friend class Changes;

  void wake() {
    woken_ = true;
    changes_.loop_.arm(*this, changes_.loop_.now());
  }
  void fire() override {
    std::erase(changes_.waiters_, this);
    parent_.resume();
  }

  Changes& changes_;
  Instant deadline_;
  std::coroutine_handle<> parent_;
  bool woken_ = false;
};

inline void Changes::note() {
  for (Next* const waiter : waiters_) waiter->wake();
  waiters_.clear();
}

inline Changes::Next Changes::next(Instant deadline) { return Next(*this, deadline); }

template <class Condition>
Task<bool> Changes::once(Instant deadline, Condition condition) {
  while (!condition()) {
    const bool changed = co_await next(deadline);
    if (!changed) co_return condition();
  }
  co_return true;
}

}  // namespace plumbline
