// Effort counts what a subject was asked and where the time went. Much of it goes side by side, so
// that the times add up to more than the run took.

#pragma once

#include "core/base/time.h"

namespace plumbline::conformance {

// Spent is how often something was waited for, and how long in all.
struct Spent {
  int times = 0;
  Duration took{};

  void add(Duration more) {
    ++times;
    took += more;
  }
};

struct Effort {
  Spent openings;   // Answers to initialize: what a start costs is in them.
  Spent answers;    // To everything else.
  Spent silences;   // Answers that did not come.
  Spent listening;  // For what should not come.
};

}  // namespace plumbline::conformance
