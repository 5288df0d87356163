#include "core/os/real_loop.h"

#include <algorithm>
#include <chrono>

#include "core/os/node/host.h"

namespace plumbline::os {

namespace {

using Clock = std::chrono::steady_clock;

// Timers that are due one after the other may not keep events waiting for longer than this.
constexpr int kTimersTogetherMax = 64;

}  // namespace

struct RealLoop::Impl {
  Clock::time_point start = Clock::now();

  Instant clock() const { return Instant(Clock::now() - start); }
};

RealLoop::RealLoop() : impl_(std::make_unique<Impl>()) {}
RealLoop::~RealLoop() = default;

Instant RealLoop::now() const {
  if (!in_callback_) return impl_->clock();
  if (!callback_now_) callback_now_ = impl_->clock();
  return *callback_now_;
}

void RealLoop::arm(Timer& timer, Instant when) { timers_.arm(timer, std::max(when, now()), 0); }

bool RealLoop::step() {
  const Instant at = impl_->clock();
  const bool timer_due = timers_.next_due() <= at;
  in_callback_ = true;
  callback_now_.reset();
  bool called = true;
  if (timer_due && timers_in_a_row_ < kTimersTogetherMax) {
    ++timers_in_a_row_;
    callback_now_ = at;
    timers_.fire_next();
  } else {
    timers_in_a_row_ = 0;
    called = wait(at) || !timers_.empty();
  }
  in_callback_ = false;
  return called;
}

// wait makes one callback of an event that comes before the next timer is due.
bool RealLoop::wait(Instant since) {
  if (timers_.next_due() <= since) return host::deliver_one(Duration(0));
  if (timers_.empty() && !host::waits_for_any()) return false;
  const bool ever = timers_.empty();
  return host::deliver_one(ever ? host::kForever : timers_.next_due() - since) || ever;
}

}  // namespace plumbline::os
