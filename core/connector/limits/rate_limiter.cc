#include "core/connector/limits/rate_limiter.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"

namespace plumbline::connector {

namespace {

constexpr int kHalvingsMax = 4;  // A sixteenth of the rate.

// interval_of rounds up: a limit is not exceeded by a fraction of a nanosecond either.
Duration interval_of(double requests_per_second) {
  check(requests_per_second > 0 && requests_per_second <= kRequestsPerSecondMax,
        "a rate out of range");
  constexpr double kLongest = 86'400e9;  // One a day: later is never, in any run.
  return Duration(
      static_cast<std::int64_t>(std::ceil(std::min(1e9 / requests_per_second, kLongest))));
}

TokenBucket bucket_for(double requests_per_second, int burst_max) {
  const int burst =
      requests_per_second < burst_max ? static_cast<int>(requests_per_second) : burst_max;
  return {interval_of(requests_per_second), std::max(1, burst)};
}

// own_bucket returns the bucket of `method` alone, null when it has none. There are few of them,
// and most are told apart by their length.
template <typename Methods>
auto* own_bucket(Methods& methods, std::string_view method) {
  for (auto& [name, bucket] : methods) {
    if (name == method) return &bucket;
  }
  return static_cast<decltype(&methods.front().second)>(nullptr);
}

}  // namespace

RateLimiter::RateLimiter(const RateLimitConfig& config)
    : enabled_(config.enabled),
      cooldown_(config.cooldown_period),
      all_(interval_of(config.requests_per_second), config.burst_capacity) {
  check(config.burst_capacity >= 1 && config.burst_capacity <= kBurstCapacityMax,
        "a burst out of range");
  for (const auto& [method, rate] : config.per_method_limits) {
    methods_.emplace_back(method, bucket_for(rate, config.burst_capacity));
  }
}

Duration RateLimiter::retry_after(std::string_view method, Instant now) const {
  if (!enabled_) return Duration();
  const int slow = halvings(now);
  Duration wait = std::max(quiet_until_ - now, all_.wait(now, slow));
  if (const TokenBucket* const own = own_bucket(methods_, method))
    wait = std::max(wait, own->wait(now, slow));
  return std::max(wait, Duration());
}

bool RateLimiter::check_limit(std::string_view method, Instant now) {
  return reserve(method, now, Duration()).has_value();
}

std::optional<Duration> RateLimiter::reserve(std::string_view method, Instant now,
                                             Duration at_most) {
  if (!enabled_) return Duration();
  const int slow = halvings(now);
  TokenBucket* const own = own_bucket(methods_, method);
  Duration wait = std::max(quiet_until_ - now, all_.wait(now, slow));
  if (own != nullptr) wait = std::max(wait, own->wait(now, slow));
  wait = std::max(wait, Duration());
  if (wait > at_most) return std::nullopt;
  all_.take(now + wait, slow);
  if (own != nullptr) own->take(now + wait, slow);
  return wait;
}

int RateLimiter::halvings(Instant now) const {
  if (slowed_ == 0 || now < quiet_until_) return slowed_;
  if (cooldown_ <= Duration()) return 0;
  const auto content = (now - quiet_until_) / cooldown_;
  return content >= slowed_ ? 0 : slowed_ - static_cast<int>(content);
}

void RateLimiter::refused(std::optional<Duration> asked, Instant now) {
  const bool was_under_way = now < quiet_until_;
  if (!was_under_way) slowed_ = std::min(halvings(now) + 1, kHalvingsMax);
  const Duration quiet = std::max(asked.value_or(cooldown_), Duration());
  quiet_until_ = std::max(quiet_until_, after(now, quiet));
}

}  // namespace plumbline::connector
