#include "core/base/retry_policy.h"

#include <algorithm>

#include "core/base/check.h"

namespace plumbline {

namespace {

// grown returns the wait that follows `wait`.
Duration grown(Duration wait, int growth_percent, Duration cap) {
  if (wait > Duration::max() / growth_percent) return cap;
  return std::min(cap, wait * growth_percent / 100);
}

}  // namespace

Duration RetryPolicy::wait(int failures, std::optional<Duration> asked) const {
  check(failures >= 1, "a wait before the first failure");
  if (asked) return std::clamp(*asked, Duration(), cap);
  Duration wait = std::min(first, cap);
  switch (backoff) {
    case Backoff::kFixed:
      return wait;
    case Backoff::kLinear:
      return wait > cap / failures ? cap : wait * failures;
    case Backoff::kExponential:
      break;
  }
  for (int i = 1; i < failures && wait < cap; ++i) {
    const Duration next = grown(wait, growth_percent, cap);
    if (next == wait) break;
    wait = next;
  }
  return wait;
}

std::optional<Duration> Retries::failed(std::optional<Duration> asked, Rng* jitter) {
  if (failures_ + 1 >= policy_.tries_max) return std::nullopt;
  Duration wait = policy_.wait(++failures_, asked);
  if (policy_.jitter && !asked) {
    check(jitter != nullptr, "jitter without a generator");
    wait = Duration(jitter->between(0, wait.count()));
  }
  if (wait > policy_.budget - waited_) return std::nullopt;
  waited_ += wait;
  return wait;
}

}  // namespace plumbline
