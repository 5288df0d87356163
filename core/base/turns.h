// Turns lets coroutines do something one after the other, or so many at a time, in the order in
// which they came.
//
//   const Turns::Turn turn = co_await turns.take();   // Until `turn` is destroyed it is ours.

#pragma once

#include <coroutine>
#include <cstddef>
#include <deque>
#include <utility>

#include "core/base/loop.h"

namespace plumbline {

class Turns {
 public:
  // `loop` must outlive it, and it every Turn. `at_a_time` is at least 1.
  explicit Turns(Loop& loop, std::size_t at_a_time = 1) : loop_(loop), free_(at_a_time) {}
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  class [[nodiscard]] Turn {
   public:
    explicit Turn(Turns& turns) : turns_(&turns) {}
    Turn(Turn&& other) noexcept : turns_(std::exchange(other.turns_, nullptr)) {}
    Turn& operator=(Turn&&) = delete;
    ~Turn() {
      if (turns_ != nullptr) turns_->pass_on();
    }

   private:
    Turns* turns_;
  };

  // Wait resumes from the loop, never from inside the end of the turn before.
  class [[nodiscard]] Wait final : public Timer {
   public:
    explicit Wait(Turns& turns) : turns_(turns) {}
    ~Wait() {
      std::erase(turns_.waiting_, this);
      if (given_) turns_.pass_on();  // Dropped between being given the turn and taking it.
    }

    bool await_ready() {
      given_ = turns_.free_ > 0;
      if (given_) --turns_.free_;
      return given_;
    }
    void await_suspend(std::coroutine_handle<> parent) {
      parent_ = parent;
      turns_.waiting_.push_back(this);
    }
    Turn await_resume() {
      given_ = false;
      return Turn(turns_);
    }

   private:
    friend class Turns;

    void fire() override { parent_.resume(); }

    Turns& turns_;
    std::coroutine_handle<> parent_;
    bool given_ = false;
  };

  Wait take() { return Wait(*this); }

 private:
  void pass_on() {
    if (waiting_.empty()) {
      ++free_;
      return;
    }
    Wait& next = *waiting_.front();
    waiting_.pop_front();
    next.given_ = true;
    loop_.arm(next, loop_.now());
  }

  Loop& loop_;
  std::size_t free_;
  std::deque<Wait*> waiting_;
};

}  // namespace plumbline
