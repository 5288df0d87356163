#include "core/connector/pacing.h"

#include <algorithm>
#include <utility>

namespace plumbline::agents {

namespace {

constexpr Duration kFirstWait = std::chrono::seconds(1);  // After the second failure in a row.
constexpr Duration kWaitMax = std::chrono::seconds(60);
constexpr Duration kSteadyAfter = std::chrono::seconds(10);  // Then an end is no failure.

Duration wait_after(int failures) {
  if (failures < 2) return Duration();
  Duration wait = kFirstWait;
  for (int i = 2; i < failures && wait < kWaitMax; ++i) wait *= 2;
  return std::min(wait, kWaitMax);
}

}  // namespace

std::optional<std::string> Pace::refusal(Instant now) {
  if (std::exchange(open_, false)) {
    failures_ = now - since_ >= kSteadyAfter ? 0 : failures_ + 1;
    not_before_ = after(since_, wait_after(failures_));
    why_ = "the connection was lost again and again";
  }
  if (now >= not_before_) return std::nullopt;
  return why_ + " (after " + std::to_string(failures_) +
         " failures in a row it is not tried again for " +
         std::to_string(milliseconds_of(not_before_ - now)) + " ms)";
}

void Pace::opened(Instant now) {
  open_ = true;
  since_ = now;
}

void Pace::failed(Instant now, Duration silent, std::string why) {
  open_ = false;
  ++failures_;
  not_before_ = after(now, std::min(kWaitMax, std::max(wait_after(failures_), silent)));
  why_ = std::move(why);
}

void Pace::silenced(Instant now, Duration silent, std::string why) {
  const bool lasted = std::exchange(open_, false) && now - since_ - silent >= kSteadyAfter;
  if (lasted) failures_ = 0;
  failed(now, failures_ == 0 ? Duration() : silent, std::move(why));
}

}  // namespace plumbline::agents
