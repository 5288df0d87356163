#include "core/connector/health/health_window.h"

#include "core/base/check.h"

namespace plumbline::connector {

std::string_view name_of(Health health) {
  switch (health) {
    case Health::kHealthy:
      return "healthy";
    case Health::kDegraded:
      return "degraded";
    case Health::kUnhealthy:
      return "unhealthy";
  }
  check(false, "unknown Health");
  return {};
}

void HealthWindow::add(Instant now, Duration took, bool failed) {
  if (count_ == samples_.size()) forget_first();
  samples_[(first_ + count_++) % samples_.size()] = Sample{now, took, failed};
  if (failed) {
    ++failed_;
    ++in_a_row_;
  } else {
    took_ += took;
    in_a_row_ = 0;
  }
}

void HealthWindow::forget_first() {
  const Sample& oldest = samples_[first_];
  if (oldest.failed) {
    --failed_;
  } else {
    took_ -= oldest.took;
  }
  first_ = (first_ + 1) % samples_.size();
  --count_;
}

// judged returns what the samples say when each threshold is `share_percent` of itself.
Health HealthWindow::judged(int share_percent) const {
  const int errors = error_percent() * 100;
  if (errors >= options_.unhealthy_percent * share_percent) return Health::kUnhealthy;
  const bool slow = response_time() >= options_.slow / 100 * share_percent;
  const bool failing = errors >= options_.degraded_percent * share_percent;
  return slow || failing ? Health::kDegraded : Health::kHealthy;
}

Health HealthWindow::health(Instant now) {
  while (count_ > 0 && now - samples_[first_].at > options_.window) forget_first();
  if (in_a_row_ >= options_.failures_in_a_row) health_ = Health::kUnhealthy;
  if (count_ < static_cast<std::size_t>(options_.samples_min)) return health_;
  const Health worse = judged(100);
  if (worse > health_) {
    health_ = worse;
  } else if (health_ == Health::kDegraded && judged(50) == Health::kHealthy) {
    health_ = Health::kHealthy;
  }
  return health_;
}

void HealthWindow::recovered() {
  *this = HealthWindow(options_);
  health_ = Health::kDegraded;
}

int HealthWindow::error_percent() const {
  return count_ == 0 ? 0 : static_cast<int>(failed_ * 100 / count_);
}

Duration HealthWindow::response_time() const {
  const std::size_t succeeded = count_ - failed_;
  return succeeded == 0 ? Duration() : took_ / static_cast<Duration::rep>(succeeded);
}

}  // namespace plumbline::connector
