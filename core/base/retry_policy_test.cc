#include "core/base/retry_policy.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::vector<Duration> waits_of(const RetryPolicy& policy, int failures) {
  std::vector<Duration> waits;
  for (int i = 1; i <= failures; ++i) waits.push_back(policy.wait(i));
  return waits;
}

TEST(RetryPolicyTest, WaitsGrowAsThePolicySaysUpToTheCap) {
  const std::vector<Duration> fixed = {seconds(2), seconds(2), seconds(2), seconds(2)};
  const std::vector<Duration> linear = {seconds(2), seconds(4), seconds(6), seconds(7)};
  const std::vector<Duration> exponential = {seconds(2), seconds(3), milliseconds(4'500),
                                             milliseconds(6'750)};
  EXPECT_EQ(waits_of({.backoff = Backoff::kFixed, .first = seconds(2)}, 4), fixed);
  EXPECT_EQ(waits_of({.backoff = Backoff::kLinear, .first = seconds(2), .cap = seconds(7)}, 4),
            linear);
  EXPECT_EQ(waits_of({.first = seconds(2), .cap = seconds(7), .growth_percent = 150}, 4),
            exponential);
}

TEST(RetryPolicyTest, WhatThePeerAsksForHoldsUpToTheCap) {
  const RetryPolicy policy = {.first = seconds(1), .cap = seconds(30), .jitter = true};
  EXPECT_EQ(policy.wait(4, milliseconds(10)), milliseconds(10));
  EXPECT_EQ(policy.wait(1, seconds(31)), seconds(30));
  EXPECT_EQ(policy.wait(1, seconds(-1)), Duration());
  EXPECT_EQ(Retries(policy).failed(seconds(9)), seconds(9));
}

TEST(RetryPolicyTest, TheFirstTryCountsAndASuccessStartsAnew) {
  Retries retries({.first = seconds(1), .tries_max = 3});
  EXPECT_EQ(retries.failed(), seconds(1));
  EXPECT_EQ(retries.failed(), seconds(2));
  EXPECT_EQ(retries.failed(), std::nullopt);
  EXPECT_EQ(retries.failed(), std::nullopt);
  retries.succeeded();
  EXPECT_EQ(retries.failed(), seconds(1));
  EXPECT_EQ(Retries({.tries_max = 1}).failed(), std::nullopt);
}

TEST(RetryPolicyTest, AWaitThatWouldExceedTheBudgetIsNotBegun) {
  Retries retries({.first = seconds(1), .budget = seconds(5)});
  EXPECT_EQ(retries.failed(), seconds(1));
  EXPECT_EQ(retries.failed(seconds(4)), seconds(4));
  EXPECT_EQ(retries.failed(), std::nullopt);
}

RetryPolicy any_policy() {
  RetryPolicy policy;
  policy.backoff = *rc::gen::element(Backoff::kFixed, Backoff::kLinear, Backoff::kExponential);
  policy.first = Duration(*rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000));
  policy.cap = *rc::gen::element<Duration>(seconds(0), seconds(1), seconds(3'600), Duration::max());
  policy.growth_percent = *rc::gen::inRange(100, 10'001);
  policy.jitter = *rc::gen::arbitrary<bool>();
  policy.tries_max = *rc::gen::inRange(1, 100);
  policy.budget = *rc::gen::element<Duration>(seconds(0), seconds(100), Duration::max());
  return policy;
}

// tried returns the waits of one thing that always fails.
std::vector<Duration> tried(const RetryPolicy& policy, std::uint64_t seed) {
  Rng rng(seed);
  Retries retries(policy);
  std::vector<Duration> waits;
  while (const std::optional<Duration> wait = retries.failed(std::nullopt, &rng)) {
    waits.push_back(*wait);
  }
  return waits;
}

RC_GTEST_PROP(RetryPolicyPropTest, NeitherCapNorTriesNorBudgetIsExceeded, (std::uint64_t seed)) {
  const RetryPolicy policy = any_policy();
  const std::vector<Duration> waits = tried(policy, seed);
  RC_ASSERT(static_cast<int>(waits.size()) < policy.tries_max);
  Duration left = policy.budget;
  for (const Duration wait : waits) {
    RC_ASSERT(wait >= Duration());
    RC_ASSERT(wait <= policy.cap);
    RC_ASSERT(wait <= left);
    left -= wait;
  }
}

RC_GTEST_PROP(RetryPolicyPropTest, JitterOnlyShortensAndFollowsItsGenerator, (std::uint64_t seed)) {
  RetryPolicy policy = any_policy();
  policy.budget = Duration::max();
  const std::vector<Duration> waits = tried(policy, seed);
  RC_ASSERT(waits == tried(policy, seed));
  for (std::size_t i = 0; i < waits.size(); ++i) {
    const Duration computed = policy.wait(static_cast<int>(i) + 1);
    RC_ASSERT((waits[i] == computed || (policy.jitter && waits[i] < computed)));
  }
}

RC_GTEST_PROP(RetryPolicyPropTest, WaitsNeverShrink, ()) {
  const RetryPolicy policy = any_policy();
  const std::vector<Duration> waits = waits_of(policy, 100);
  RC_ASSERT(std::ranges::is_sorted(waits));
  RC_ASSERT(policy.wait(std::numeric_limits<int>::max()) >= waits.back());
}

}  // namespace
}  // namespace plumbline
