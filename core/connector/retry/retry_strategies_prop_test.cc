// Which trouble is tried again, after which waits, and how often in all.

#include "core/connector/retry/retry_strategies.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/json/json.h"

namespace plumbline::connector {
namespace {

using Category = ErrorCategory;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Waits = std::vector<std::optional<Duration>>;

Category any_category() {
  return static_cast<Category>(*rc::gen::inRange<std::size_t>(0, kErrorCategories.size()));
}

// read reads a policy, and returns what is wrong with it.
std::pair<RetryStrategies, std::string> read(std::string_view text) {
  const Json value = parse_json(text).value();
  std::optional<Problem> problem;
  ObjectReader fields(value, "/retryPolicy", "a retryPolicy", problem);
  const RetryStrategies strategies = read_retry_policy(fields);
  return {strategies, problem ? problem->pointer + ": " + problem->message : ""};
}

Waits waits_of(const RetryStrategies& strategies, Category category, int failures) {
  CallRetries retries(strategies, nullptr, nullptr);
  Waits waits;
  for (int i = 0; i < failures; ++i) waits.push_back(retries.failed({.category = category}));
  return waits;
}

TEST(RetryStrategiesTest, CategoriesAreTheSixOfTheDocument) {
  using mcp::FailureClass;
  EXPECT_EQ(name_of(category_of(FailureClass::kNetwork)), "network");
  EXPECT_EQ(name_of(category_of(FailureClass::kAuthentication)), "authentication");
  EXPECT_EQ(name_of(category_of(FailureClass::kAuthorization)), "authentication");
  EXPECT_EQ(name_of(category_of(FailureClass::kRateLimit)), "rate_limit");
  EXPECT_EQ(name_of(category_of(FailureClass::kTimeout)), "timeout");
  EXPECT_EQ(name_of(category_of(FailureClass::kInvalidRequest)), "invalid_request");
  EXPECT_EQ(name_of(category_of(FailureClass::kExecution)), "invalid_request");
  EXPECT_EQ(name_of(category_of(FailureClass::kProtocol)), "agent_unavailable");
  EXPECT_EQ(category_of_opening(FailureClass::kNetwork), Category::kAgentUnavailable);
  EXPECT_EQ(category_of_opening(FailureClass::kAuthentication), Category::kAuthentication);
}

TEST(RetryStrategiesTest, TheDefaultsAreThoseOfTheDecisions) {
  const Waits waits = {seconds(1), seconds(2), seconds(4), std::nullopt};
  const RetryStrategies strategies;
  for (const Category which :
       {Category::kNetwork, Category::kAgentUnavailable, Category::kRateLimit}) {
    EXPECT_EQ(waits_of(strategies, which, 4), waits) << name_of(which);
    EXPECT_TRUE(strategies.of(which).waits.jitter);
    EXPECT_EQ(strategies.of(which).waits.cap, seconds(30));
  }
  for (const Category which :
       {Category::kAuthentication, Category::kTimeout, Category::kInvalidRequest}) {
    EXPECT_EQ(waits_of(strategies, which, 1), Waits{std::nullopt}) << name_of(which);
  }
}

TEST(RetryStrategiesTest, AreReadFromData) {
  const auto [strategies, wrong] = read(R"({
    "maxRetries": 2, "backoff": "linear", "initialDelay": 100, "maxDelay": 150,
    "backoffMultiplier": 1.5, "retryableErrors": ["timeout", "rate_limit", "agent_unavailable"],
    "fallback": "another_agent",
    "categories": {"rate_limit": {"backoff": "exponential", "maxRetries": 3, "maxDelay": 1000},
                   "agent_unavailable": {"retry": false}}})");
  EXPECT_EQ(wrong, "");
  EXPECT_EQ(waits_of(strategies, Category::kTimeout, 3),
            (Waits{milliseconds(100), milliseconds(150), std::nullopt}));
  EXPECT_EQ(waits_of(strategies, Category::kRateLimit, 4),
            (Waits{milliseconds(100), milliseconds(150), milliseconds(225), std::nullopt}));
  EXPECT_EQ(waits_of(strategies, Category::kNetwork, 1), Waits{std::nullopt});
  EXPECT_EQ(waits_of(strategies, Category::kAgentUnavailable, 1), Waits{std::nullopt});
  EXPECT_EQ(strategies.of(Category::kTimeout).fallback, Fallback::kAnotherAgent);
  const auto [fixed, fine] = read(R"({"maxRetries": 3, "backoff": "fixed", "initialDelay": 70})");
  EXPECT_EQ(fine, "");
  EXPECT_EQ(waits_of(fixed, Category::kNetwork, 3),
            (Waits{milliseconds(70), milliseconds(70), milliseconds(70)}));
}

TEST(RetryStrategiesTest, WhatIsWrongWithDataIsSaidInOneLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"maxRetries": -1})", "/retryPolicy/maxRetries: "},
      {R"({"backoff": "wild"})", "/retryPolicy/backoff: "},
      {R"({"backoffMultiplier": 0.5})", "/retryPolicy/backoffMultiplier: "},
      {R"({"retryableErrors": ["weather"]})", "/retryPolicy/retryableErrors: \"weather\" is no"},
      {R"({"categories": {"weather": {}}})", "/retryPolicy/categories: \"weather\" is no category"},
      {R"({"categories": {"timeout": {"retries": 3}}})", "/retryPolicy/categories/timeout"},
      {R"({"tries": 3})", "/retryPolicy"},
  };
  for (const auto& [text, expected] : cases) {
    const std::string wrong = read(text).second;
    EXPECT_TRUE(wrong.starts_with(expected)) << text << " gave: " << wrong;
    EXPECT_EQ(wrong.find('\n'), std::string::npos);
  }
}

TEST(RetryStrategiesTest, MorePatienceThanThereIsEndsTheCall) {
  const RetryStrategies strategies;
  CallRetries retries(strategies, nullptr, nullptr);
  EXPECT_EQ(retries.failed({.category = Category::kRateLimit, .asked = seconds(30)}), seconds(30));
  EXPECT_EQ(retries.failed({.category = Category::kRateLimit, .asked = seconds(31)}), std::nullopt);
}

RC_GTEST_PROP(CallRetriesPropTest, NeverRepeatsWhatMayHaveChangedSomethingNorTooOften, ()) {
  RetryStrategies strategies;
  for (ErrorHandlingStrategy& strategy : strategies.strategies) {
    strategy.retry = *rc::gen::arbitrary<bool>();
    strategy.retries_max = *rc::gen::inRange(0, 6);
    strategy.waits.first = milliseconds(*rc::gen::inRange(0, 4'000));
  }
  Rng rng(*rc::gen::arbitrary<std::uint64_t>());
  CallRetries retries(strategies, nullptr, &rng);
  const int failures = *rc::gen::inRange(1, 12);
  for (int i = 1; i <= failures; ++i) {
    CallRetries::Failed failed;
    failed.category = any_category();
    failed.may_have_changed_something = *rc::gen::inRange(0, 4) == 0;
    if (*rc::gen::arbitrary<bool>()) failed.asked = seconds(*rc::gen::inRange(0, 40));
    const std::optional<Duration> wait = retries.failed(failed);
    const ErrorHandlingStrategy& strategy = strategies.of(failed.category);
    const bool patient = failed.asked.value_or(Duration()) <= strategy.waits.cap;
    RC_ASSERT(wait.has_value() == (strategy.retry && !failed.may_have_changed_something &&
                                   i <= strategy.retries_max && patient));
    if (!wait) continue;
    RC_ASSERT(*wait >= failed.asked.value_or(Duration()));
    RC_ASSERT(*wait <= std::max(failed.asked.value_or(Duration()), strategy.waits.wait(i)));
  }
}

RC_GTEST_PROP(RetryBudgetPropTest, RetriesAreAFewAndATenthOfTheRequests, ()) {
  const RetryStrategies strategies;
  RetryBudget budget;
  std::int64_t requests = 0;
  std::int64_t retries = 0;
  const int calls = *rc::gen::inRange(1, 400);
  const int failing_percent = *rc::gen::element(5, 50, 100);
  for (int i = 0; i < calls; ++i) {
    CallRetries call(strategies, &budget, nullptr);
    budget.sent();
    ++requests;
    while (*rc::gen::inRange(0, 100) < failing_percent &&
           call.failed({.category = Category::kNetwork})) {
      ++retries;
    }
  }
  RC_ASSERT(retries * 10 <= requests + RetryBudget::kReserve * 10);
}

TEST(RetryBudgetTest, AnOutageOfAThousandCallsCostsATenthMore) {
  const RetryStrategies strategies;
  RetryBudget budget;
  int retries = 0;
  for (int i = 0; i < 1'000; ++i) {
    CallRetries call(strategies, &budget, nullptr);
    budget.sent();
    while (call.failed({.category = Category::kNetwork})) ++retries;
  }
  EXPECT_EQ(retries, 110);
}

TEST(CallRetriesTest, JitterIsFull) {
  const RetryStrategies strategies;
  Rng rng(1);
  std::vector<Duration> waits;
  for (int i = 0; i < 1'000; ++i) {
    CallRetries call(strategies, nullptr, &rng);
    waits.push_back(call.failed({.category = Category::kNetwork}).value());
  }
  const auto [least, most] = std::ranges::minmax(waits);
  EXPECT_LT(least, milliseconds(20));
  EXPECT_GT(most, milliseconds(980));
  Duration sum{};
  for (const Duration wait : waits) sum += wait;
  EXPECT_NEAR(static_cast<double>(sum.count()) / 1e9, 500, 30);
}

}  // namespace
}  // namespace plumbline::connector
