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

  // beside tells how many processes are starting: they slow down those that run already. It is
  // looked at from now on, and must outlive the pace.
  void beside(const int& starting) { starting_ = &starting; }

  // crowded returns whether any process is starting.
  bool crowded() const { return starting_ != nullptr && *starting_ > 0; }

  // started takes in how long the first answer of a connection took. A quick one says that the
  // subject answers; a slow one may have had to start first, and only the next one tells.
  void started(Duration took) {
    answers_ = answers_ || 2 * took < kAnswer;
    openings_.saw(took);
  }

  // saw takes in how long one answer took that needed no work, however late it came. `crowded`:
  // whether processes were starting when it was asked for.
  void saw(Duration took, bool crowded) {
    slowest_ = std::max(slowest_, took);
    const Duration counted = std::min(took, Duration(kCountedMax));
    all_.saw(counted);
    if (!crowded && !this->crowded()) undisturbed_.saw(counted);
    answers_ = true;
    requests_.saw(took);
  }

  // lasted takes in how long something took that was no answer: a refusal by status.
  void lasted(Duration took) { slowest_ = std::max(slowest_, took); }

  // worked takes in how long a tool took, or was waited for.
  void worked(Duration took) { longest_work_ = std::max(longest_work_, took); }

  // missed takes in that nothing came for so long: who says nothing for as long as it may take to
  // start is not given that time again.
  void missed(Duration waited) { answers_ = answers_ || waited >= opening(); }

  // opening is how long the first answer of a new connection may take: a process has to start.
  // Less than the whole, so that there is a verdict in time on a subject that never says anything.
  Duration opening() const { return answer_max_ * 4 / 5; }

  // answer is how long any other answer may take.
  Duration answer() const {
    if (!answers_) return opening();
    const Duration counted = std::min(slowest_, Duration(kCountedMax));
    return std::min(answer_max_, std::max(kAnswer + 10 * counted, 3 * slowest_));
  }

  // work is how long a tool may take.
  Duration work() const { return answer_max_; }

  // longest_work is how long a tool took at most, or was waited for.
  Duration longest_work() const { return longest_work_; }

  // known returns whether it has answered anything but the opening.
  bool known() const { return all_.known; }

  // slowest is how long an answer has taken at most.
  Duration slowest() const { return slowest_; }

  // answer_max bounds every wait.
  Duration answer_max() const { return answer_max_; }

  // several is how long `requests` answers in a row may take, as slow as answers usually are.
  Duration several(int requests) const { return requests * requests_.usual; }

  // strain is how many times longer answers take now than they did at their quickest: what a
  // subject bears that is asked several things at a time. Differences that anybody has count for
  // nothing: 1.
  double strain() const { return std::max(requests_.strain(), openings_.strain()); }

  // quiet is how long to listen for what should not come, or may not: twice what TCP would wait
  // for an acknowledgement (RFC 6298), so that one slow answer is forgotten soon. Where no process
  // is starting, those answers say nothing that came while some were.
  Duration quiet() const { return crowded() ? all_.quiet() : quiet_alone(); }

  // quiet_alone is as long as quiet() once no process is starting.
  Duration quiet_alone() const { return undisturbed_.known ? undisturbed_.quiet() : all_.quiet(); }

 private:
  static constexpr Duration kAnswer = std::chrono::seconds(3);
  static constexpr Duration kQuiet = std::chrono::milliseconds(20);
  static constexpr Duration kQuietMax = std::chrono::milliseconds(1'000);
  static constexpr Duration kCountedMax = std::chrono::seconds(1);

  // Answers is how long answers took of late.
  struct Answers {
    Duration usual{};   // Smoothed, as is
    Duration spread{};  // how far answers are off it.
    bool known = false;

    void saw(Duration took) {
      const Duration off = took > usual ? took - usual : usual - took;
      spread = known ? spread + (off - spread) / 4 : took / 2;
      usual = known ? usual + (took - usual) / 8 : took;
      known = true;
    }
    Duration quiet() const {
      return std::min(Duration(kQuietMax), kQuiet + 2 * (usual + 4 * spread));
    }
  };

  // Course is how long things of one kind took in the course of time.
  struct Course {
    static constexpr Duration kUnfelt = std::chrono::milliseconds(50);

    Duration usual{};  // Smoothed.
    Duration quickest = Duration::max();

    void saw(Duration took) {
      usual = quickest == Duration::max() ? took : usual + (took - usual) / 8;
      quickest = std::min(quickest, took);
    }
    double strain() const {
      if (quickest == Duration::max() || usual < quickest + kUnfelt) return 1;
      return static_cast<double>((usual - kUnfelt).count()) /
             static_cast<double>(std::max(quickest, Duration(kUnfelt)).count());
    }
  };

  Duration answer_max_;
  Duration slowest_{};
  Duration longest_work_{};
  Answers all_;
  Answers undisturbed_;   // While no process was starting.
  bool answers_ = false;  // That it answers.
  const int* starting_ = nullptr;
  Course requests_;
  Course openings_;
};

}  // namespace plumbline::conformance
