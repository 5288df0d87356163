// Turnstile lets one coroutine through at a time, the others after it in the order they came.
//
//   const Turnstile::Pass pass = co_await turnstile.enter(loop);

#pragma once

#include <algorithm>
#include <coroutine>
#include <utility>
#include <vector>

#include "core/base/loop.h"

namespace plumbline::graph {

class Turnstile {
 public:
  Turnstile() = default;
  Turnstile(const Turnstile&) = delete;
  Turnstile& operator=(const Turnstile&) = delete;

  // Pass is the right to be inside. Giving it up lets in the next one, which the loop resumes.
  class [[nodiscard]] Pass {
   public:
    explicit Pass(Turnstile& turnstile) : turnstile_(&turnstile) {}
    Pass(Pass&& other) noexcept : turnstile_(std::exchange(other.turnstile_, nullptr)) {}
    Pass& operator=(Pass&&) = delete;
    ~Pass() {
      if (turnstile_ != nullptr) turnstile_->let_in();
    }

   private:
    Turnstile* turnstile_;
  };

  class [[nodiscard]] Entrance final : public Timer {
   public:
    Entrance(Turnstile& turnstile, Loop& loop) : turnstile_(turnstile), loop_(loop) {}
    ~Entrance() {
      std::erase(turnstile_.waiting_, this);
      if (let_in_) turnstile_.let_in();
    }

    bool await_ready() noexcept { return !std::exchange(turnstile_.taken_, true); }
    void await_suspend(std::coroutine_handle<> parent) {
      parent_ = parent;
      turnstile_.waiting_.push_back(this);
    }
    Pass await_resume() {
      let_in_ = false;
      return Pass(turnstile_);
    }

   private:
    friend class Turnstile;

    void fire() override { parent_.resume(); }

    Turnstile& turnstile_;
    Loop& loop_;
    std::coroutine_handle<> parent_;
    bool let_in_ = false;  // And not inside yet.
  };

  // enter waits for its turn. The Turnstile and `loop` must outlive the wait.
  Entrance enter(Loop& loop) { return Entrance(*this, loop); }

 private:
  void let_in() {
    taken_ = !waiting_.empty();
    if (!taken_) return;
    Entrance* const first = waiting_.front();
    waiting_.erase(waiting_.begin());
    first->let_in_ = true;
    first->loop_.arm(*first, first->loop_.now());
  }

  bool taken_ = false;
  std::vector<Entrance*> waiting_;
};

}  // namespace plumbline::graph
