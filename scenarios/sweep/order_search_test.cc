#include "scenarios/sweep/order_search.h"

#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/rng.h"

namespace plumbline::scenarios {
namespace {

// Step is a turn of one actor that does something.
struct Step final : fakes::Owned {
  Step(std::uint32_t actor, std::function<void()> on_fire) : act(std::move(on_fire)) {
    belongs_to(actor);
  }
  ~Step() = default;
  void fire() override { act(); }
  std::function<void()> act;
};

// Chain is an actor that takes some steps, one after the other, and tells everybody of some.
struct Chain {
  std::uint32_t actor = 0;
  int steps = 1;
  int tells_each = 0;  // 0: never.
};

// run_chains runs a world and returns what came of it: what everybody was told, in this order.
std::string run_chains(const std::vector<Chain>& chains, fakes::Chooser& chooser) {
  fakes::SimLoop loop(chooser);
  std::string told;
  std::deque<Step> steps;
  std::deque<Step> news;
  for (const Chain& chain : chains) {
    int taken = 0;
    Step* step = nullptr;
    step = &steps.emplace_back(chain.actor, [&, chain, taken, place = steps.size()]() mutable {
      ++taken;
      if (chain.tells_each > 0 && taken % chain.tells_each == 0) {
        const std::string word = std::to_string(place) + ':' + std::to_string(taken) + ' ';
        news.emplace_back(0, [&told, word] { told += word; });
        loop.arm(news.back(), loop.now());
      }
      if (taken < chain.steps) loop.arm(steps[place], loop.now());
    });
    loop.arm(*step, Instant());
  }
  EXPECT_TRUE(loop.run_until_idle().ok());
  return told;
}

struct Orders {
  std::size_t whole = 0;
  std::size_t cut = 0;
  std::set<std::string> outcomes;
};

Orders search(const std::vector<Chain>& chains, bool reduces) {
  Orders orders;
  OrderSearch search(reduces);
  do {
    std::string outcome = run_chains(chains, search);
    if (search.was_cut()) {
      ++orders.cut;
      continue;
    }
    ++orders.whole;
    orders.outcomes.insert(std::move(outcome));
  } while (search.next());
  return orders;
}

TEST(OrderSearchTest, EveryOrderOfTimersThatMeetIsRunOnce) {
  EXPECT_EQ(search({{0, 1}, {0, 1}, {0, 1}, {0, 1}}, true).whole, 24U);
  EXPECT_EQ(search({{0, 5}, {0, 8}}, true).whole, 1'287U);
  EXPECT_EQ(search({{0, 1}}, true).whole, 1U);
}

TEST(OrderSearchTest, OfOrdersOfServersThatMeetNowhereOneIsRun) {
  const std::vector<Chain> apart = {{1, 3}, {2, 3}, {3, 3}};
  EXPECT_EQ(search(apart, false).whole, 1'680U);  // 9! / (3! 3! 3!)
  EXPECT_EQ(search(apart, true).whole, 1U);
}

TEST(OrderSearchTest, TurnsOfOneServerKeepAllTheirOrders) {
  EXPECT_EQ(search({{1, 2}, {1, 2}}, true).whole, 6U);
  EXPECT_EQ(search({{1, 2}, {0, 2}}, true).whole, 6U);
}

TEST(OrderSearchTest, WhatAllTellIsToldInEveryOrderThatThereIs) {
  const std::vector<Chain> chains = {{1, 1, 1}, {2, 1, 1}, {3, 1, 1}};
  EXPECT_EQ(search(chains, true).outcomes.size(), 6U);
  EXPECT_EQ(search(chains, true).outcomes, search(chains, false).outcomes);
}

TEST(OrderSearchTest, FewerOrdersComeToTheSameOutcomes) {
  Rng rng(11);
  std::size_t all = 0;
  std::size_t reduced = 0;
  for (int world = 0; world < 15; ++world) {
    std::vector<Chain> chains;
    for (int i = 0; i < 3; ++i) {
      chains.push_back(Chain{static_cast<std::uint32_t>(rng.between(1, 3)),
                             static_cast<int>(rng.between(1, 2)),
                             static_cast<int>(2 * rng.below(2))});
    }
    const Orders plain = search(chains, false);
    const Orders fewer = search(chains, true);
    EXPECT_EQ(fewer.outcomes, plain.outcomes);
    EXPECT_LE(fewer.whole, plain.whole);
    all += plain.whole;
    reduced += fewer.whole;
  }
  EXPECT_LT(reduced * 2, all);
}

}  // namespace
}  // namespace plumbline::scenarios
