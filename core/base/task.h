// Task<T> is a coroutine that its owner drives and, by dropping it, cancels.
//
//   * lazy: nothing runs until the Task is awaited or start()ed;
//   * one owner: move-only, awaited at most once;
//   * destroying a Task destroys its frame, so every local's destructor runs. An awaiter that is
//     parked somewhere unregisters itself in its destructor. There is no cancellation exception;
//   * no exception leaves a Task: failures travel as Task<Result<T>>;
//   * a Task must not be destroyed by what it is itself running.
//
// A child is resumed inline and `await_suspend` returns bool: a loop over tasks that are ready at
// once uses no stack, in every build of both compilers. Symmetric transfer would need tail calls,
// which g++ makes only in optimised builds.

#pragma once

#include <concepts>
#include <coroutine>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/base/check.h"

namespace plumbline {

namespace internal {

struct TaskPromiseBase {
  std::coroutine_handle<> waiter;  // Null while the child runs for the first time.

  struct FinalAwaiter {
    bool await_ready() const noexcept { return false; }
    template <typename Promise>
    void await_suspend(std::coroutine_handle<Promise> self) const noexcept {
      // Resuming the waiter may destroy this frame: nothing may be touched afterwards.
      if (const std::coroutine_handle<> next = self.promise().waiter) next.resume();
    }
    void await_resume() const noexcept {}
  };

  std::suspend_always initial_suspend() const noexcept { return {}; }
  FinalAwaiter final_suspend() const noexcept { return {}; }
  void unhandled_exception() const noexcept { std::terminate(); }
};

template <typename T>
struct TaskPromise : TaskPromiseBase {
  std::optional<T> value;
  template <typename U = T>
  requires std::convertible_to<U, T>
  void return_value(U&& result) { value.emplace(std::forward<U>(result)); }
  T& result() { return *value; }
};

template <>
struct TaskPromise<void> : TaskPromiseBase {
  void return_void() const noexcept {}
  void result() const noexcept {}
};

}  // namespace internal

template <typename T = void>
class [[nodiscard]] Task {
 public:
  struct promise_type : internal::TaskPromise<T> {
    Task get_return_object() {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
  };

  Task() = default;  // Holds no coroutine: done() is true.
  Task(Task&& other) noexcept : frame_(std::exchange(other.frame_, {})) {}
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      drop();
      frame_ = std::exchange(other.frame_, {});
    }
    return *this;
  }
  ~Task() { drop(); }

  // start runs the Task up to its first suspension. For roots only; everything else is awaited by
  // its parent.
  void start() { frame_.resume(); }

  bool done() const { return !frame_ || frame_.done(); }

  // result returns what the coroutine co_returned. Aborts unless done().
  decltype(auto) result() {
    check(frame_ && frame_.done(), "result() of an unfinished Task");
    return frame_.promise().result();
  }

  // drop cancels the coroutine and frees its frame. No-op when there is none.
  void drop() {
    if (frame_) std::exchange(frame_, {}).destroy();
  }

  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> parent) {
    frame_.resume();
    if (frame_.done()) return false;
    frame_.promise().waiter = parent;
    return true;
  }
  T await_resume() {
    if constexpr (!std::is_void_v<T>) return std::move(frame_.promise().result());
  }

 private:
  explicit Task(std::coroutine_handle<promise_type> frame) : frame_(frame) {}

  std::coroutine_handle<promise_type> frame_;
};

}  // namespace plumbline
