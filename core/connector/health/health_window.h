// HealthWindow judges an agent by its last requests: how many failed, and how long the others took.
// What it takes to get worse is more than what it takes to stay so (hysteresis): an agent at the
// edge does not flap.

#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "core/base/time.h"

namespace plumbline::connector {

enum class Health { kHealthy, kDegraded, kUnhealthy };

// name_of returns "healthy", "degraded", "unhealthy".
std::string_view name_of(Health health);

struct HealthOptions {
  Duration window =
      std::chrono::seconds(60);  // Of the requests that count, and at most 64 of them.
  int samples_min = 5;           // Fewer say nothing.
  int failures_in_a_row = 5;     // Make it unhealthy, however long they took to come.
  int degraded_percent = 20;     // Of requests that failed.
  int unhealthy_percent = 50;
  Duration slow = std::chrono::seconds(5);  // On average: degraded, and never worse for it alone.
};

class HealthWindow {
 public:
  explicit HealthWindow(const HealthOptions& options) : options_(options) {}

  // add counts a request that ended at `now`, never before one that was counted.
  void add(Instant now, Duration took, bool failed);

  // health judges at `now`. It gets worse as soon as a share or the average is reached, and better,
  // a step at a time, when each is below half of it. It never leaves kUnhealthy by itself, because
  // nothing is sent to such an agent; recovered() does.
  Health health(Instant now);

  // recovered forgets what was seen: the agent starts anew as degraded.
  void recovered();

  int error_percent() const;

  // response_time returns the average of what succeeded, zero when nothing did.
  Duration response_time() const;

 private:
  struct Sample {
    Instant at{};
    Duration took{};
    bool failed = false;
  };

  void forget_first();
  Health judged(int share_percent) const;

  HealthOptions options_;
  Health health_ = Health::kHealthy;
  std::array<Sample, 64> samples_;  // A ring.
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  std::size_t failed_ = 0;
  int in_a_row_ = 0;  // Failures, up to the last.
  Duration took_{};   // Together, of those that succeeded.
};

}  // namespace plumbline::connector
