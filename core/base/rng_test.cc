#include "core/base/rng.h"

#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline {
namespace {

// The published first outputs of SplitMix64 for seed 0 and 1: another compiler or a rewrite must
// not change what a seed means.
TEST(RngTest, FollowsThePublishedSequence) {
  EXPECT_EQ(Rng(0).next(), 0xe220a8397b1dcdafU);
  EXPECT_EQ(Rng(1).next(), 0x910a2dec89025cc1U);
}

TEST(RngTest, ForksDependOnTheNameAndNotOnOtherDraws) {
  const Rng root(7);
  Rng busy = root;
  Rng network = root.fork("network");
  Rng faults = root.fork("faults");
  EXPECT_NE(network.next(), faults.next());
  EXPECT_EQ(busy.fork("network").next(), root.fork("network").next());
  EXPECT_NE(Rng(8).fork("network").next(), root.fork("network").next());
}

RC_GTEST_PROP(RngPropTest, BelowAndBetweenStayInRange, (std::uint64_t seed)) {
  Rng rng(seed);
  const auto bound = *rc::gen::positive<std::uint32_t>();
  RC_ASSERT(rng.below(bound) < bound);
  const auto a = *rc::gen::arbitrary<std::int64_t>();
  const auto b = *rc::gen::arbitrary<std::int64_t>();
  const std::int64_t drawn = rng.between(std::min(a, b), std::max(a, b));
  RC_ASSERT((drawn >= std::min(a, b) && drawn <= std::max(a, b)));
}

RC_GTEST_PROP(RngPropTest, ShuffleKeepsEveryItem, (std::uint64_t seed, std::vector<int> items)) {
  std::vector<int> shuffled = items;
  Rng(seed).shuffle(shuffled);
  RC_ASSERT(std::multiset<int>(items.begin(), items.end()) ==
            std::multiset<int>(shuffled.begin(), shuffled.end()));
}

}  // namespace
}  // namespace plumbline
