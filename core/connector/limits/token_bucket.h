// TokenBucket lets through so many requests a second, and a burst of them after a pause. It is the
// generic cell rate algorithm: one instant instead of a count, in whole nanoseconds, so nothing
// drifts and no timer fills it.

#pragma once

#include <algorithm>

#include "core/base/time.h"

namespace plumbline::connector {

class TokenBucket {
 public:
  // `interval` is from one token to the next, `burst` how many a full bucket holds: both at least
  // one. Starts full.
  TokenBucket(Duration interval, int burst) : interval_(interval), burst_(burst) {}

  // wait returns how long it takes until there is a token: zero when there is one. While the peer
  // is slow, `halvings` halves the rate and the burst so often.
  Duration wait(Instant now, int halvings = 0) const {
    const int beyond_one = std::max(0, (burst_ >> halvings) - 1);
    return std::max(Duration(), next_full_ - interval_ * (beyond_one << halvings) - now);
  }

  // take takes the token that is there at `at`, or as soon afterwards as there is one.
  void take(Instant at, int halvings = 0) {
    next_full_ = std::max(next_full_, at) + interval_ * (1 << halvings);
  }

 private:
  Duration interval_;
  int burst_;
  Instant next_full_{};  // When the bucket will be full, if nobody takes anything.
};

}  // namespace plumbline::connector
