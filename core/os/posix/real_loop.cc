#include "core/os/real_loop.h"

#include <algorithm>
#include <chrono>
#include <csignal>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "core/os/fd.h"

namespace plumbline::os {

namespace {

using Clock = std::chrono::steady_clock;

// Timers that are due one after the other may not keep descriptors waiting for longer than this.
constexpr int kTimersInARowMax = 64;
constexpr Duration kTimersMax = std::chrono::milliseconds(2);

}  // namespace

struct RealLoop::Impl {
  boost::asio::io_context context{1};
  boost::asio::steady_timer alarm{context};
  Instant alarm_due = kNever;  // kNever: not waiting.
  Clock::time_point start = Clock::now();

  Instant clock() const { return Instant(Clock::now() - start); }
};

RealLoop::RealLoop() {
  fill_standard_descriptors();  // Before the loop opens files of its own.
  std::signal(SIGPIPE, SIG_IGN);
  impl_ = std::make_unique<Impl>();
}

RealLoop::~RealLoop() = default;

Instant RealLoop::now() const {
  if (!in_callback_) return impl_->clock();
  if (!callback_now_) callback_now_ = impl_->clock();
  return *callback_now_;
}

void RealLoop::arm(Timer& timer, Instant when) { timers_.arm(timer, std::max(when, now()), 0); }

bool RealLoop::step() {
  const Instant at = impl_->clock();
  spinning_.turned(at);
  const bool timer_due = timers_.next_due() <= at;
  in_callback_ = true;
  if (timers_in_a_row_ == 0) timers_since_ = at;
  const bool enough = timers_in_a_row_ >= kTimersInARowMax || at - timers_since_ > kTimersMax;
  if (timer_due && !enough) {
    ++timers_in_a_row_;
    callback_now_ = at;
    timers_.fire_next();
    in_callback_ = false;
    return true;
  }
  timers_in_a_row_ = 0;
  callback_now_.reset();
  bool called = true;
  if (timer_due) {
    impl_->context.poll_one();
  } else {
    wake_at(timers_.next_due());
    called = wait(at);
  }
  in_callback_ = false;
  if (impl_->context.stopped()) impl_->context.restart();
  return called;
}

// wait makes one callback of a descriptor or of the alarm. At first it looks whether there is one
// without sleeping, while that is worth it.
bool RealLoop::wait(Instant since) {
  boost::asio::io_context& context = impl_->context;
  const Instant enough = after(since, Spinning::kMax);
  while (spinning_.now() && impl_->clock() < enough) {
    if (context.poll_one() > 0) return true;
    if (context.stopped()) return false;  // Nothing is left that could call back.
  }
  return context.run_one() > 0;
}

// wake_at makes run_one() return no later than `when`. An alarm that comes too early is left: one
// needless turn is cheaper than moving it.
void RealLoop::wake_at(Instant when) {
  Impl& impl = *impl_;
  if (impl.alarm_due == when || (impl.alarm_due < when && when != kNever)) return;
  impl.alarm.cancel();
  impl.alarm_due = when;
  if (when == kNever) return;
  impl.alarm.expires_at(impl.start + when.time_since_epoch());
  impl.alarm.async_wait([&impl](boost::system::error_code error) {
    if (!error) impl.alarm_due = kNever;
  });
}

boost::asio::io_context& RealLoop::context() { return impl_->context; }

}  // namespace plumbline::os
