// Pace decides how long to wait for a subject, from how long it has taken so far: a slow one is
// given time, a dead one is told early.

#pragma once

#include <algorithm>
#include <chrono>

#include "core/base/time.h"

namespace plumbline::conformance {

class Pace {
 public:
  // `answer_max` bounds every wait for an answer: --timeout.
  explicit Pace(Duration answer_max) : answer_max_(answer_max) {}

  // saw takes in how long one answer took.
  void saw(Duration took) {
    slowest_ = std::max(slowest_, std::min(took, Duration(kSlowestMax)));
    known_ = true;
  }

  // opening is how long the first answer of a new connection may take: a process has to start.
  // Less than the whole, so that there is a verdict in time on a subject that never says anything.
  Duration opening() const { return answer_max_ * 4 / 5; }

  // answer is how long any other answer may take.
  Duration answer() const {
    return known_ ? std::min(answer_max_, kAnswer + 10 * slowest_) : opening();
  }

  // work is how long a tool may take.
  Duration work() const { return answer_max_; }

  // quiet is how long to listen for what should not come, or may not.
  Duration quiet() const { return std::min(Duration(kQuietMax), kQuiet + 2 * slowest_); }

 private:
  static constexpr Duration kAnswer = std::chrono::seconds(3);
  static constexpr Duration kQuiet = std::chrono::milliseconds(20);
  static constexpr Duration kQuietMax = std::chrono::milliseconds(1'000);
  static constexpr Duration kSlowestMax = std::chrono::seconds(1);

  Duration answer_max_;
  Duration slowest_{};
  bool known_ = false;
};

}  // namespace plumbline::conformance
