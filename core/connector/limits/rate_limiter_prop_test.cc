// The limit of our own requests, beside the definition of one: what went through, counted over
// every stretch of time.

#include "core/connector/limits/rate_limiter.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline::connector {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

RateLimitConfig limit(double per_second, int burst) {
  RateLimitConfig config;
  config.requests_per_second = per_second;
  config.burst_capacity = burst;
  return config;
}

// assert_within holds the instants at which requests went to a limit: in no stretch of time more
// than the burst and what the rate gives.
void assert_within(const std::vector<Instant>& sent, double per_second, int burst) {
  for (std::size_t i = 0; i < sent.size(); ++i) {
    for (std::size_t j = i; j < sent.size(); ++j) {
      const double time_s = static_cast<double>((sent[j] - sent[i]).count()) / 1e9;
      RC_ASSERT(static_cast<double>(j - i + 1) <= burst + time_s * per_second + 1e-6);
    }
  }
}

TEST(RateLimiterTest, ABurstGoesAtOnceAndThenOneAnInterval) {
  RateLimiter limiter(limit(10, 3));
  Instant now{};
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(limiter.check_limit("tools/call", now)) << i;
  EXPECT_FALSE(limiter.check_limit("tools/call", now));
  EXPECT_EQ(limiter.retry_after("tools/call", now), milliseconds(100));
  now += milliseconds(99);
  EXPECT_FALSE(limiter.check_limit("tools/call", now));
  now += milliseconds(1);
  EXPECT_TRUE(limiter.check_limit("tools/call", now));
  EXPECT_FALSE(limiter.check_limit("tools/call", now));
}

TEST(RateLimiterTest, AMethodMayHaveALimitOfItsOwnBelowThatOfAll) {
  RateLimitConfig config = limit(10, 20);
  config.per_method_limits = {{"tools/call", 0.5}};
  RateLimiter limiter(config);
  EXPECT_TRUE(limiter.check_limit("tools/call", Instant()));
  EXPECT_FALSE(limiter.check_limit("tools/call", Instant()));
  EXPECT_EQ(limiter.retry_after("tools/call", Instant()), seconds(2));
  for (int i = 0; i < 19; ++i) EXPECT_TRUE(limiter.check_limit("tools/list", Instant())) << i;
  EXPECT_FALSE(limiter.check_limit("tools/list", Instant()));
}

TEST(RateLimiterTest, OneThatIsOffLetsEverythingThrough) {
  RateLimitConfig config = limit(1, 1);
  config.enabled = false;
  RateLimiter limiter(config);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(limiter.check_limit("tools/call", Instant()));
  EXPECT_EQ(limiter.retry_after("tools/call", Instant()), Duration());
}

TEST(RateLimiterTest, AnAgentThatRefusesIsLeftAloneAndThenAskedAtHalfTheRate) {
  RateLimiter limiter(limit(10, 20));
  const Instant told{};
  limiter.refused(seconds(7), told);
  limiter.refused(seconds(7), told + milliseconds(3));  // It was under way.
  EXPECT_EQ(limiter.retry_after("tools/call", told + milliseconds(3)), seconds(7));
  const Instant again = limiter.quiet_until();
  EXPECT_EQ(again, told + seconds(7) + milliseconds(3));
  EXPECT_EQ(limiter.halvings(again), 1);
  int burst = 0;
  while (limiter.check_limit("tools/call", again)) ++burst;
  EXPECT_EQ(burst, 10);
  EXPECT_EQ(limiter.retry_after("tools/call", again), milliseconds(200));
  EXPECT_EQ(limiter.halvings(again + seconds(1)), 0);
}

TEST(RateLimiterTest, WithoutAWordOfHowLongTheCooldownHolds) {
  RateLimitConfig config = limit(10, 20);
  config.cooldown_period = seconds(4);
  RateLimiter limiter(config);
  limiter.refused(std::nullopt, Instant());
  EXPECT_EQ(limiter.retry_after("ping", Instant()), seconds(4));
  limiter.refused(std::nullopt, Instant(seconds(4)));
  limiter.refused(std::nullopt, Instant(seconds(8)));
  EXPECT_EQ(limiter.halvings(Instant(seconds(12))), 3);
  EXPECT_EQ(limiter.halvings(Instant(seconds(16))), 2);
  EXPECT_EQ(limiter.halvings(Instant(seconds(24))), 0);
}

TEST(RateLimiterTest, WhoReservesWaitsInTurnAndNotTooLong) {
  RateLimiter limiter(limit(10, 1));
  EXPECT_EQ(limiter.reserve("ping", Instant(), seconds(1)), Duration());
  EXPECT_EQ(limiter.reserve("ping", Instant(), seconds(1)), milliseconds(100));
  EXPECT_EQ(limiter.reserve("ping", Instant(), seconds(1)), milliseconds(200));
  EXPECT_EQ(limiter.reserve("ping", Instant(), milliseconds(299)), std::nullopt);
  EXPECT_EQ(limiter.reserve("ping", Instant(), milliseconds(300)), milliseconds(300));
}

RC_GTEST_PROP(RateLimiterPropTest, NoStretchOfTimeSeesMoreAndNoneIsRefusedForNothing, ()) {
  const double per_second = *rc::gen::element(0.5, 3.0, 10.0, 333.0, 1e6);
  const int burst = *rc::gen::element(1, 2, 20, 64);
  RateLimiter limiter(limit(per_second, burst));
  const auto interval = Duration(static_cast<std::int64_t>(1e9 / per_second));
  Instant now{};
  std::vector<Instant> sent;
  const int asks = *rc::gen::inRange(1, 150);
  for (int i = 0; i < asks; ++i) {
    now += interval * *rc::gen::element(0, 0, 0, 1, 3, 200) / *rc::gen::element(1, 2, 7);
    const Duration wait = limiter.retry_after("ping", now);
    if (wait > Duration()) {
      RC_ASSERT(wait <= interval + Duration(1));
      RC_ASSERT(limiter.retry_after("ping", now + wait - Duration(1)) > Duration());
      RC_ASSERT(limiter.retry_after("ping", now + wait) == Duration());
    }
    const bool free = sent.size() < static_cast<std::size_t>(burst);
    const bool went = limiter.check_limit("ping", now);
    RC_ASSERT(went == (wait == Duration()));
    RC_ASSERT((went || !free));
    if (went) sent.push_back(now);
  }
  assert_within(sent, per_second, burst);
  // And after a long pause the whole burst is there again.
  now += interval * (burst + 1) + Duration(burst + 1);
  for (int i = 0; i < burst; ++i) RC_ASSERT(limiter.check_limit("ping", now));
  RC_ASSERT(!limiter.check_limit("ping", now));
}

RC_GTEST_PROP(RateLimiterPropTest, NothingGoesWhileAnAgentWantsToBeLeftAlone, ()) {
  RateLimitConfig config = limit(100, 5);
  config.per_method_limits = {{"tools/call", 20}};
  RateLimiter limiter(config);
  Instant now{};
  Instant quiet{};
  std::vector<Instant> sent;
  std::vector<Instant> calls;
  const int steps = *rc::gen::inRange(1, 120);
  for (int i = 0; i < steps; ++i) {
    now += milliseconds(*rc::gen::element(0, 0, 5, 12, 700));
    if (*rc::gen::inRange(0, 12) == 0) {
      const auto asked = milliseconds(*rc::gen::element(0, 40, 2'000));
      limiter.refused(asked, now);
      quiet = std::max(quiet, now + asked);
    }
    const bool call = *rc::gen::arbitrary<bool>();
    const auto waits = limiter.reserve(call ? "tools/call" : "ping", now, milliseconds(300));
    if (!waits) continue;
    RC_ASSERT(now + *waits >= quiet);
    sent.push_back(now + *waits);
    if (call) calls.push_back(now + *waits);
  }
  std::ranges::sort(sent);
  std::ranges::sort(calls);
  assert_within(sent, 100, 5);
  assert_within(calls, 20, 5);
}

}  // namespace
}  // namespace plumbline::connector
