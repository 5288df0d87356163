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

  // started notes that the subject answers. How long that took says little of what comes.
  void started() { answers_ = true; }

  // saw takes in how long one answer took that needed no work.
  void saw(Duration took) {
    took = std::min(took, Duration(kSlowestMax));
    slowest_ = std::max(slowest_, took);
    const Duration off = took > usual_ ? took - usual_ : usual_ - took;
    spread_ = known_ ? spread_ + (off - spread_) / 4 : took / 2;
    usual_ = known_ ? usual_ + (took - usual_) / 8 : took;
    known_ = answers_ = true;
  }

  // opening is how long the first answer of a new connection may take: a process has to start.
  // Less than the whole, so that there is a verdict in time on a subject that never says anything.
  Duration opening() const { return answer_max_ * 4 / 5; }

  // answer is how long any other answer may take.
  Duration answer() const {
    return answers_ ? std::min(answer_max_, kAnswer + 10 * slowest_) : opening();
  }

  // work is how long a tool may take.
  Duration work() const { return answer_max_; }

  // answer_max bounds every wait.
  Duration answer_max() const { return answer_max_; }

  // quiet is how long to listen for what should not come, or may not: twice what TCP would wait
  // for an acknowledgement (RFC 6298), so that one slow answer is forgotten soon.
  Duration quiet() const {
    return std::min(Duration(kQuietMax), kQuiet + 2 * (usual_ + 4 * spread_));
  }

 private:
  static constexpr Duration kAnswer = std::chrono::seconds(3);
  static constexpr Duration kQuiet = std::chrono::milliseconds(20);
  static constexpr Duration kQuietMax = std::chrono::milliseconds(1'000);
  static constexpr Duration kSlowestMax = std::chrono::seconds(1);

  Duration answer_max_;
  Duration slowest_{};
  Duration usual_{};      // Smoothed, as is
  Duration spread_{};     // how far answers are off it.
  bool known_ = false;    // How long answers take.
  bool answers_ = false;  // That it answers.
};

}  // namespace plumbline::conformance
