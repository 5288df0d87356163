#include "fakes/world/choices.h"

#include <gtest/gtest.h>

namespace plumbline::fakes {
namespace {

std::vector<std::uint64_t> values_of(const Choices& choices) {
  std::vector<std::uint64_t> values;
  for (const Choices::Choice& choice : choices.made()) values.push_back(choice.value);
  return values;
}

std::vector<std::int64_t> draw_some(Choices& choices) {
  std::vector<std::int64_t> drawn;
  for (int i = 0; i < 50; ++i) {
    drawn.push_back(static_cast<std::int64_t>(choices.below(10)));
    drawn.push_back(choices.between(-5, 5));
    drawn.push_back(choices.chance(1, 4) ? 1 : 0);
  }
  return drawn;
}

TEST(ChoicesTest, WhatWasDrawnComesAgainFromItsList) {
  Choices drawn(Rng(7));
  const std::vector<std::int64_t> first = draw_some(drawn);
  Choices again(values_of(drawn));
  EXPECT_EQ(draw_some(again), first);
  EXPECT_EQ(again.made(), drawn.made());
}

TEST(ChoicesTest, AListThatEndsEarlyGoesOnWithTheSimplest) {
  Choices choices(std::vector<std::uint64_t>{3});
  EXPECT_EQ(choices.below(10), 3U);
  EXPECT_EQ(choices.below(10), 0U);
  EXPECT_EQ(choices.between(-5, 5), -5);
  EXPECT_FALSE(choices.chance(99, 100));
}

TEST(ChoicesTest, AValueThatDoesNotFitBecomesTheHighest) {
  Choices choices(std::vector<std::uint64_t>{70});
  EXPECT_EQ(choices.below(10), 9U);
  EXPECT_EQ(choices.made().front(), (Choices::Choice{9, 10}));
}

TEST(ChoicesTest, SpansHoldWhatWasChosenWhileTheyLived) {
  Choices choices(Rng(1));
  {
    const Choices::In outer(choices);
    choices.below(2);
    {
      const Choices::In inner(choices);
      choices.below(2);
    }
  }
  choices.below(2);
  EXPECT_EQ(choices.spans(), (std::vector<Choices::Span>{{0, 2}, {1, 2}}));
}

}  // namespace
}  // namespace plumbline::fakes
