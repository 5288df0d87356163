// The ways to wait inside a Task. Each has an Instant at which it gives up.
//
//   co_await Sleep(loop, when);
//   const bool arrived = co_await event.wait(loop, deadline);
//   Result<int> answer = co_await with_deadline(loop, deadline, "the answer", ask(...));
//
// Changes waits for what others bring about and tell of.

#pragma once

#include <coroutine>
#include <optional>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/base/task.h"

namespace plumbline {

// Sleep suspends the awaiting coroutine until `when`. Dropping the coroutine meanwhile disarms the
// timer. `loop` must outlive the Sleep.
class Sleep final : public Timer {
 public:
  Sleep(Loop& loop, Instant when) : loop_(loop), when_(when) {}
  ~Sleep() = default;

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> parent) {
    parent_ = parent;
    loop_.arm(*this, when_);
  }
  void await_resume() const noexcept {}

 private:
  void fire() override { parent_.resume(); }

  Loop& loop_;
  Instant when_;
  std::coroutine_handle<> parent_;
};

// Event lets one coroutine wait for something that another part of the program does.
//
// set() wakes the waiter inline and latches: a later wait() returns at once until reset().
// At most one coroutine waits at a time. The Event must outlive its waiter.
class Event {
 public:
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  bool is_set() const { return set_; }
  void reset() { set_ = false; }
  void set();

  class Wait;

  // wait suspends until set() or until `deadline` (kNever: no deadline). Awaiting it returns
  // whether the event was set.
  Wait wait(Loop& loop, Instant deadline);

 private:
  bool set_ = false;
  Wait* waiter_ = nullptr;
};

class [[nodiscard]] Event::Wait final : public Timer {
 public:
  Wait(Event& event, Loop& loop, Instant deadline)
      : event_(event), loop_(loop), deadline_(deadline) {}
  ~Wait() { unregister(); }

  bool await_ready() const noexcept { return event_.set_; }
  void await_suspend(std::coroutine_handle<> parent) {
    check(event_.waiter_ == nullptr, "two coroutines wait for one Event");
    event_.waiter_ = this;
    parent_ = parent;
    if (deadline_ != kNever) loop_.arm(*this, deadline_);
  }
  bool await_resume() const noexcept { return event_.set_; }

 private:
  friend class Event;

  void fire() override { wake(); }

  void wake() {
    unregister();
    disarm();
    parent_.resume();
  }

  void unregister() {
    if (event_.waiter_ == this) event_.waiter_ = nullptr;
  }

  Event& event_;
  Loop& loop_;
  Instant deadline_;
  std::coroutine_handle<> parent_;
};

inline void Event::set() {
  set_ = true;
  if (waiter_ != nullptr) waiter_->wake();
}

inline Event::Wait Event::wait(Loop& loop, Instant deadline) { return Wait(*this, loop, deadline); }

namespace internal {

template <typename T>
class [[nodiscard]] DeadlineAwaiter final : public Timer {
 public:
  DeadlineAwaiter(Loop& loop, Instant deadline, std::string what, Task<T> task)
      : loop_(loop), deadline_(deadline), what_(std::move(what)), task_(std::move(task)) {}
  ~DeadlineAwaiter() = default;

  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> parent) {
    if (!task_.await_suspend(parent)) return false;
    parent_ = parent;
    if (deadline_ != kNever) loop_.arm(*this, deadline_);
    return true;
  }
  Result<T> await_resume() {
    if (late_) return Error{ErrorCode::kDeadlineExceeded, what_ + " took too long"};
    return task_.await_resume();
  }

 private:
  void fire() override {
    late_ = true;
    task_.drop();
    parent_.resume();
  }

  Loop& loop_;
  Instant deadline_;
  std::string what_;
  Task<T> task_;
  std::coroutine_handle<> parent_;
  bool late_ = false;
};

}  // namespace internal

// with_deadline runs `task` until `deadline`, then drops it and returns kDeadlineExceeded with a
// message that names `what` ("initialize of server files").
template <typename T>
internal::DeadlineAwaiter<T> with_deadline(Loop& loop, Instant deadline, std::string what,
                                           Task<T> task) {
  return internal::DeadlineAwaiter<T>(loop, deadline, std::move(what), std::move(task));
}

}  // namespace plumbline
