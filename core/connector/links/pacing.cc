#include "core/connector/links/pacing.h"

#include <algorithm>
#include <utility>

#include "core/base/retry_policy.h"

namespace plumbline::connector {

namespace {

constexpr RetryPolicy kWaits = {.cap = std::chrono::seconds(60)};
constexpr Duration kSteadyAfter = std::chrono::seconds(10);  // Then an end is no failure.

// wait_after returns how long a server is left alone: after one failure it is tried again at once.
Duration wait_after(int failures) { return failures < 2 ? Duration() : kWaits.wait(failures - 1); }

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
  not_before_ = after(now, std::min(kWaits.cap, std::max(wait_after(failures_), silent)));
  why_ = std::move(why);
}

void Pace::silenced(Instant now, Duration silent, std::string why) {
  const bool lasted = std::exchange(open_, false) && now - since_ - silent >= kSteadyAfter;
  if (lasted) failures_ = 0;
  failed(now, failures_ == 0 ? Duration() : silent, std::move(why));
}

}  // namespace plumbline::connector
