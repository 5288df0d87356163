// RateLimiter says when a request may go to one agent: so many a second to the agent, and of some
// methods fewer. An agent that says "not so fast" is left alone for as long as it asks, and asked
// at half the rate afterwards until it is content.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/time.h"
#include "core/connector/limits/token_bucket.h"

namespace plumbline::connector {

// RateLimitConfig is as the document writes it, with its defaults. Rates are above 0 and at most
// kRequestsPerSecondMax.
struct RateLimitConfig {
  bool enabled = true;
  double requests_per_second = 10;
  int burst_capacity = 20;  // 1 to kBurstCapacityMax.

  // How long an agent is left alone that refuses a request and does not say for how long; and how
  // long it must be content before it is asked at twice the rate again.
  Duration cooldown_period = std::chrono::seconds(1);

  // Requests a second of one method, on top of the limit for all. The burst is a second's worth,
  // at most burst_capacity.
  std::map<std::string, double> per_method_limits;
};

// unlimited returns what paces nothing.
inline RateLimitConfig unlimited() {
  RateLimitConfig config;
  config.enabled = false;
  return config;
}

inline constexpr double kRequestsPerSecondMax = 1e6;
inline constexpr int kBurstCapacityMax = 10'000;

// RateLimiter holds to a limit exactly: in any time t after a pause it lets through at most
// burst_capacity + t * requests_per_second.
class RateLimiter {
 public:
  explicit RateLimiter(const RateLimitConfig& config);

  // check_limit takes a token when there is one, and returns whether the request may go now.
  bool check_limit(std::string_view method, Instant now);

  // retry_after returns how long to wait until check_limit would succeed; zero: now.
  Duration retry_after(std::string_view method, Instant now) const;

  // reserve takes the next token, also one that comes later, and returns how long to wait for it.
  // Nothing, and nothing taken, when that is longer than `at_most`. Those who reserve go in the
  // order in which they came.
  std::optional<Duration> reserve(std::string_view method, Instant now, Duration at_most);

  // refused tells that the agent has refused a request for coming too fast, and for how long it
  // `asked` to be left alone (Retry-After). Refusals of what was under way count once.
  void refused(std::optional<Duration> asked, Instant now);

  // quiet_until returns until when the agent has asked to be left alone.
  Instant quiet_until() const { return quiet_until_; }

  // halvings returns how often the rate is halved at `now`: 0 when the agent is content.
  int halvings(Instant now) const;

 private:
  bool enabled_;
  Duration cooldown_;
  TokenBucket all_;
  std::vector<std::pair<std::string, TokenBucket>> methods_;
  Instant quiet_until_{};
  int slowed_ = 0;  // Halvings at quiet_until_.
};

}  // namespace plumbline::connector
