// Spinning decides whether a loop that has nothing to do looks for something for a moment before it
// sleeps. To be woken takes longer than a peer that works on another core needs for its answer;
// where no core is free for both, to look only keeps the peer from its work. So it is tried where
// turns are short, and kept up as long as they are much shorter than without it.

#pragma once

#include <algorithm>
#include <chrono>

#include "core/base/time.h"

namespace plumbline::os {

class Spinning {
 public:
  // kMax is how long one look lasts.
  static constexpr Duration kMax = std::chrono::microseconds(50);

  // now returns whether to look before the next sleep.
  bool now() const { return spins_; }

  // turned takes in that a turn of the loop, wait and callback, ended at `at`.
  void turned(Instant at) {
    spent_ += std::min(at - last_, Duration(kCounted));
    last_ = at;
    ++turns_;
    if (spins_ && spent_ > worth_) return stop(at);
    if (turns_ < kTurns) return;
    if (spins_) rest_ = kRestMin;  // It was worth it.
    if (!spins_ && spent_ < kTurns * kShort && at >= again_) {
      spins_ = true;
      worth_ = spent_ * 3 / 4;
    }
    start_over();
  }

 private:
  static constexpr int kTurns = 128;  // That are looked at together.
  static constexpr Duration kShort = std::chrono::microseconds(100);
  static constexpr Duration kCounted = std::chrono::milliseconds(1);  // Of one turn, at most.
  static constexpr Duration kRestMin = std::chrono::milliseconds(8);
  static constexpr Duration kRestMax = std::chrono::seconds(1);

  void stop(Instant at) {
    spins_ = false;
    again_ = at + rest_;
    rest_ = std::min(2 * rest_, Duration(kRestMax));
    start_over();
  }

  void start_over() {
    spent_ = {};
    turns_ = 0;
  }

  bool spins_ = false;
  Duration worth_{};  // What kTurns turns may take at most while it spins.
  Duration spent_{};
  int turns_ = 0;
  Instant last_{};
  Instant again_{};           // When it may be tried again.
  Duration rest_ = kRestMin;  // How long it is not, if it is not worth it.
};

}  // namespace plumbline::os
