#include "scenarios/shrink/shrink_choices.h"

#include <algorithm>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "scenarios/shrink/shrink_planted.h"

namespace plumbline::scenarios {
namespace {

// first_failure returns the choices of the first seed from `seed` on under which `fails`.
std::vector<std::uint64_t> first_failure(const Fails& fails, std::uint64_t seed) {
  for (;; ++seed) {
    fakes::Choices choices{Rng(seed)};
    if (!fails(choices)) continue;
    std::vector<std::uint64_t> values;
    for (const fakes::Choices::Choice& choice : choices.made()) values.push_back(choice.value);
    return values;
  }
}

// shrink_seeds shrinks the failures of forty seeds and returns every different outcome, each with
// how often it came.
std::map<std::string, int> shrink_seeds(const Fails& fails, std::int64_t tries_max,
                                        const std::function<std::string(fakes::Choices&)>& show) {
  std::map<std::string, int> outcomes;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const ShrunkChoices shrunk =
        shrink_choices(first_failure(fails, seed * 1'000), fails, ShrinkLimits{tries_max, {}});
    EXPECT_TRUE(shrunk.complete) << "after " << shrunk.tries << " tries";
    fakes::Choices choices(shrunk.values);
    ++outcomes[show(choices)];
  }
  return outcomes;
}

std::string show_files(fakes::Choices& choices) {
  std::string text;
  for (const planted::Command& command : planted::draw_commands(choices)) {
    text += (text.empty() ? "" : ", ") + planted::to_string(command);
  }
  return text;
}

TEST(ShrinkChoicesTest, AFourCommandBugComesToTheSameFourCommandsFromEverySeed) {
  const std::map<std::string, int> outcomes =
      shrink_seeds(planted::write_after_close_is_read, 2'000, show_files);
  EXPECT_EQ(outcomes, (std::map<std::string, int>{{"open 0, write 0, close 0, read 0", 40}}));
}

TEST(ShrinkChoicesTest, SharedNumbersAreNamedFromZeroOn) {
  const std::map<std::string, int> outcomes =
      shrink_seeds(planted::two_open_files_are_mixed_up, 3'000, show_files);
  EXPECT_EQ(outcomes, (std::map<std::string, int>{{"open 0, open 1, write 0, read 1", 40}}));
}

TEST(ShrinkChoicesTest, TheSameBugBehindACountIsFoundAsSmall) {
  const auto show = [](fakes::Choices& choices) {
    std::string text;
    for (const planted::Command& command : planted::draw_counted_commands(choices)) {
      text += (text.empty() ? "" : ", ") + planted::to_string(command);
    }
    return text;
  };
  const std::map<std::string, int> outcomes =
      shrink_seeds(planted::counted_write_after_close_is_read, 6'000, show);
  EXPECT_EQ(outcomes, (std::map<std::string, int>{{"open 0, write 0, close 0, read 0", 40}}));
}

TEST(ShrinkChoicesTest, ALongRunWithManyFaultsComesToFewEvents) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const std::vector<std::uint64_t> drawn = first_failure(planted::long_run_loses_an_effect, seed);
    fakes::Choices before(drawn);
    const planted::LongRun long_run = planted::draw_long_run(before);
    EXPECT_EQ(long_run.events.size(), 200U);
    EXPECT_EQ(long_run.faults.size(), 20U);
    const ShrunkChoices shrunk =
        shrink_choices(drawn, planted::long_run_loses_an_effect, ShrinkLimits{4'000, {}});
    EXPECT_TRUE(shrunk.complete) << "after " << shrunk.tries << " tries";
    fakes::Choices after(shrunk.values);
    const planted::LongRun small = planted::draw_long_run(after);
    EXPECT_EQ(small.events.size(), 3U);
    EXPECT_EQ(small.faults.size(), 2U);
    EXPECT_LE(small.events.size() + small.faults.size(), 10U);
  }
}

// sum_at_least_1000 fails for any numbers that come to a thousand.
bool sum_at_least_1000(fakes::Choices& choices) {
  std::uint64_t sum = 0;
  while (choices.chance(7, 8)) sum += choices.below(1'001);
  return sum >= 1'000;
}

TEST(ShrinkChoicesTest, WhatIsSpreadOverManyNumbersIsGathered) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const ShrunkChoices shrunk =
        shrink_choices(first_failure(sum_at_least_1000, seed), sum_at_least_1000);
    EXPECT_EQ(shrunk.values, (std::vector<std::uint64_t>{1, 1'000, 0})) << "seed " << seed;
  }
}

// far_apart fails when two times lie between 40 and 50 apart, wherever they lie.
bool far_apart(fakes::Choices& choices) {
  const std::int64_t a = choices.between(0, 100'000);
  const std::int64_t b = choices.between(0, 100'000);
  return b - a >= 40 && b - a <= 50;
}

TEST(ShrinkChoicesTest, TwoNumbersWithADistanceAreLoweredInStep) {
  const ShrunkChoices shrunk = shrink_choices({77'000, 77'047}, far_apart);
  EXPECT_EQ(shrunk.values, (std::vector<std::uint64_t>{0, 40}));
}

TEST(ShrinkChoicesTest, SpansAreSorted) {
  const Fails any_order = [](fakes::Choices& choices) {
    std::vector<std::uint64_t> seen;
    for (int i = 0; i < 4; ++i) {
      const fakes::Choices::In span(choices);
      seen.push_back(choices.below(10));
    }
    std::ranges::sort(seen);
    return seen == std::vector<std::uint64_t>{0, 3, 6, 9};
  };
  EXPECT_EQ(shrink_choices({9, 0, 6, 3}, any_order).values,
            (std::vector<std::uint64_t>{0, 3, 6, 9}));
}

TEST(ShrinkChoicesTest, TheBoundOfTriesEndsTheSearchWithTheBestSoFar) {
  const std::vector<std::uint64_t> drawn = first_failure(planted::long_run_loses_an_effect, 1);
  const ShrunkChoices shrunk =
      shrink_choices(drawn, planted::long_run_loses_an_effect, ShrinkLimits{60, {}});
  EXPECT_FALSE(shrunk.complete);
  EXPECT_EQ(shrunk.tries, 60);
  EXPECT_LT(shrunk.values.size(), drawn.size());
  fakes::Choices choices(shrunk.values);
  EXPECT_TRUE(planted::long_run_loses_an_effect(choices));
}

TEST(ShrinkChoicesTest, WhoeverStopsItGetsTheBestSoFar) {
  int asked = 0;
  const std::vector<std::uint64_t> drawn = first_failure(planted::long_run_loses_an_effect, 1);
  const ShrunkChoices shrunk = shrink_choices(drawn, planted::long_run_loses_an_effect,
                                              ShrinkLimits{1'000, [&] { return ++asked > 10; }});
  EXPECT_FALSE(shrunk.complete);
  EXPECT_EQ(shrunk.tries, 11);
}

TEST(ShrinkChoicesTest, AFailureOfNothingAtAllIsTheEmptiestList) {
  const Fails always = [](fakes::Choices& choices) {
    while (choices.chance(9, 10)) choices.below(100);
    return true;
  };
  const ShrunkChoices shrunk = shrink_choices(first_failure(always, 3), always);
  EXPECT_EQ(shrunk.values, (std::vector<std::uint64_t>{0}));
  EXPECT_LE(shrunk.tries, 3);
}

}  // namespace
}  // namespace plumbline::scenarios
