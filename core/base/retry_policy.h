// RetryPolicy says how long to wait before trying again, and when to give up. It knows no clock:
// whoever tries hands in what has happened and does the waiting.

#pragma once

#include <limits>
#include <optional>

#include "core/base/rng.h"
#include "core/base/time.h"

namespace plumbline {

// Backoff is how the waits grow: not at all, by the first each time, or by a factor each time.
enum class Backoff { kFixed, kLinear, kExponential };

struct RetryPolicy {
  Backoff backoff = Backoff::kExponential;
  Duration first = std::chrono::seconds(1);  // The wait after the first failure. Never negative.
  Duration cap = std::chrono::seconds(30);   // No wait is longer, also none that a peer asks for.
  int growth_percent = 200;                  // Of the wait before, when exponential. At least 100.
  bool jitter = false;  // Each wait is drawn between none and what is computed.
  int tries_max = std::numeric_limits<int>::max();  // The first counts.
  Duration budget = Duration::max();                // Of all waits together.

  // wait returns how long to wait after so many failures in a row, at least one, without jitter.
  // How long the peer has `asked` to wait (Retry-After) holds instead, up to the cap.
  Duration wait(int failures, std::optional<Duration> asked = std::nullopt) const;
};

// Retries follows a policy through the tries of one thing.
class Retries {
 public:
  explicit Retries(const RetryPolicy& policy) : policy_(policy) {}

  // failed counts a failure and returns how long to wait before the next try; nothing when the
  // tries or the budget are used up. `jitter` draws for a policy that asks for it, and may be null
  // for others. What the peer asked is waited in full.
  std::optional<Duration> failed(std::optional<Duration> asked = std::nullopt,
                                 Rng* jitter = nullptr);

  // succeeded forgets the failures, and what was waited.
  void succeeded() { *this = Retries(policy_); }

 private:
  RetryPolicy policy_;
  int failures_ = 0;
  Duration waited_{};
};

}  // namespace plumbline
