// CircuitBreaker keeps traffic from an agent that fails. Once tripped it lets nothing through, then
// one probe at a time (half-open), and closes when enough of them in a row have succeeded. A probe
// that fails makes it wait, longer each time.

#pragma once

#include "core/base/retry_policy.h"
#include "core/base/time.h"

namespace plumbline::connector {

struct BreakerOptions {
  // From a failed probe to the next: an agent that is back is found before it has been away for
  // half as long again.
  RetryPolicy waits = {.cap = std::chrono::seconds(30), .growth_percent = 140};
  int probes_to_close = 2;  // In a row.
};

class CircuitBreaker {
 public:
  enum class State { kClosed, kOpen, kHalfOpen };

  explicit CircuitBreaker(const BreakerOptions& options) : options_(options) {}

  State state(Instant now) const {
    if (!tripped_) return State::kClosed;
    return now < next_probe_ ? State::kOpen : State::kHalfOpen;
  }

  // allows_traffic returns whether requests may go through: only when closed.
  bool allows_traffic() const { return !tripped_; }

  // next_probe returns when a probe may go, once tripped.
  Instant next_probe() const { return next_probe_; }

  // trip opens it. No-op when it is not closed.
  void trip(Instant now) {
    if (!tripped_) open(now);
  }

  // begin_probe returns whether a probe may go at `now`, and takes it: until probe_ended() there is
  // no other.
  bool begin_probe(Instant now) {
    if (state(now) != State::kHalfOpen || probing_) return false;
    probing_ = true;
    return true;
  }

  // probe_ended tells what came of it. Returns whether the breaker has closed by it.
  bool probe_ended(bool succeeded, Instant now) {
    probing_ = false;
    if (!tripped_) return false;
    if (!succeeded) {
      open(now);
      return false;
    }
    if (++succeeded_ < options_.probes_to_close) return false;
    *this = CircuitBreaker(options_);
    return true;
  }

  // probe_given_up tells that nobody waits for it any more. No-op when there is none.
  void probe_given_up() { probing_ = false; }

 private:
  void open(Instant now) {
    tripped_ = true;
    succeeded_ = 0;
    next_probe_ = after(now, options_.waits.wait(++failures_));
  }

  BreakerOptions options_;
  bool tripped_ = false;
  bool probing_ = false;
  int failures_ = 0;   // Since it was closed last.
  int succeeded_ = 0;  // Probes in a row.
  Instant next_probe_{};
};

}  // namespace plumbline::connector
