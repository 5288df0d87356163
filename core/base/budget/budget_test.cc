#include "core/base/budget/budget.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "core/base/rng.h"

namespace plumbline {
namespace {

constexpr Resource kText = Resource::kTextBytes;

TEST(Budget, GivesBackWhatAChargeHeld) {
  Budget budget(Amounts().set(kText, 10));
  {
    std::optional<Charge> charge = budget.take(kText, 7);
    ASSERT_TRUE(charge);
    EXPECT_FALSE(budget.take(kText, 4));
    EXPECT_TRUE(charge->grow_to(10));
    EXPECT_FALSE(charge->grow_to(11));
    EXPECT_TRUE(charge->grow_to(2));
    EXPECT_EQ(budget.left(kText), 8U);
    const Charge kept = std::move(*charge);
    EXPECT_EQ(budget.left(kText), 8U);
  }
  EXPECT_EQ(budget.left(kText), 10U);
  EXPECT_EQ(budget.refusals(), 2U);
}

TEST(Budget, SpendsForGood) {
  Budget budget(Amounts().set(Resource::kSteps, 3));
  EXPECT_TRUE(budget.spend(Resource::kSteps, 3));
  EXPECT_FALSE(budget.spend(Resource::kSteps));
}

TEST(Budget, LeavesWhatHasNoEndWithoutOne) {
  Budget budget{Amounts()};
  EXPECT_TRUE(budget.spend(kText, std::uint64_t{1} << 62U));
}

TEST(Budget, SaysWhatRanOut) {
  EXPECT_EQ(spent_words(Amounts().set(Resource::kSteps, 5), Resource::kSteps),
            "the budget of 5 steps is spent");
}

TEST(Budget, SaysWhatRanOutFirstAndWhere) {
  Budget all(Amounts().set(Resource::kSteps, 9));
  Budget one(Amounts().set(Resource::kSteps, 5).set(kText, 1), &all);
  EXPECT_EQ(one.spent(), "");
  EXPECT_FALSE(one.spend(Resource::kSteps, 6));
  EXPECT_FALSE(one.spend(kText, 2));
  EXPECT_EQ(one.spent(), "the budget of 5 steps is spent");
  EXPECT_EQ(all.spent(), "");
  Budget two(Amounts(), &all);
  EXPECT_FALSE(two.spend(Resource::kSteps, 10));
  EXPECT_EQ(two.spent(), "the budget of 9 steps is spent");
}

// Whatever is taken and given back by whom, the sums are right: what all have is what each has, and
// nobody has more than there is.
TEST(Budget, TakesFromBothOrFromNeither) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Rng rng(seed);
    Budget all(Amounts().set(kText, 100));
    Budget one(Amounts().set(kText, 60), &all);
    Budget two(Amounts().set(kText, 80), &all);
    all.refuse_at(rng.below(50));
    std::vector<Charge> charges;
    for (int turn = 0; turn < 60; ++turn) {
      if (!charges.empty() && rng.below(3) == 0) {
        std::swap(charges[rng.below(charges.size())], charges.back());
        charges.pop_back();
      } else if (std::optional<Charge> charge =
                     (rng.below(2) == 0 ? one : two).take(kText, rng.below(40))) {
        charges.push_back(std::move(*charge));
      }
      std::uint64_t held = 0;
      for (const Charge& charge : charges) held += charge.amount();
      ASSERT_EQ(all.taken(kText), held);
      ASSERT_EQ(one.taken(kText) + two.taken(kText), held);
      ASSERT_LE(one.taken(kText), 60U);
      ASSERT_LE(two.taken(kText), 80U);
      ASSERT_LE(held, 100U);
    }
    charges.clear();
    ASSERT_EQ(all.left(kText), 100U);
  }
}

TEST(Budget, RefusesTheChargeThatATestNames) {
  Budget budget{Amounts()};
  budget.refuse_at(2);
  EXPECT_TRUE(budget.spend(kText));
  EXPECT_FALSE(budget.spend(kText));
  EXPECT_TRUE(budget.spend(kText));
  EXPECT_EQ(budget.charges(), 3U);
}

}  // namespace
}  // namespace plumbline
