#include "fakes/faults/pace.h"

#include <chrono>

#include <gtest/gtest.h>

namespace plumbline::fakes {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Instant kStart = Instant(seconds(100));

Duration taken(Pace& pace, std::size_t bytes, Rng& rng) {
  return pace.due(kStart, bytes, rng) - kStart;
}

TEST(PaceTest, ALongTailTakesItsShareOfTheWrites) {
  Rng rng(1);
  int slow = 0;
  for (int i = 0; i < 10'000; ++i) {
    Pace pace({milliseconds(5), milliseconds(5), milliseconds(400), 2});
    const Duration latency = taken(pace, 1, rng);
    if (latency == milliseconds(400))
      ++slow;
    else
      EXPECT_EQ(latency, milliseconds(5));
  }
  EXPECT_GT(slow, 150);
  EXPECT_LT(slow, 250);
}

TEST(PaceTest, AWriteIsNeverBeforeTheOneBeforeIt) {
  Rng rng(1);
  Pace pace({milliseconds(1), milliseconds(50), milliseconds(400), 20});
  Duration last{};
  for (int i = 0; i < 100; ++i) {
    const Duration latency = taken(pace, 1, rng);
    EXPECT_GE(latency, last);
    last = latency;
  }
  EXPECT_EQ(last, milliseconds(400));
}

TEST(PaceTest, BandwidthIsSharedByTheWritesOfALine) {
  Rng rng(1);
  Pace pace({milliseconds(5), milliseconds(5), {}, 0, 1'000});
  EXPECT_TRUE(pace.counts_bytes(kStart));
  EXPECT_EQ(taken(pace, 500, rng), milliseconds(505));
  EXPECT_EQ(taken(pace, 500, rng), milliseconds(1'005)) << "behind the first";
  EXPECT_EQ(pace.due(kStart + seconds(9), 500, rng) - kStart, milliseconds(9'505)) << "it is idle";
}

TEST(PaceTest, AThrottledLineIsFreeAgainWhenItEnds) {
  Rng rng(1);
  Pace pace({});
  EXPECT_FALSE(pace.counts_bytes(kStart));
  pace.throttle_until(kStart + seconds(10), 100);
  EXPECT_TRUE(pace.counts_bytes(kStart));
  EXPECT_EQ(taken(pace, 400, rng), seconds(4));
  EXPECT_EQ(taken(pace, 400, rng), seconds(8));
  EXPECT_EQ(taken(pace, 1'000'000, rng), seconds(10)) << "at the latest when it heals";
  EXPECT_FALSE(pace.counts_bytes(kStart + seconds(10)));
  EXPECT_EQ(pace.due(kStart + seconds(11), 1'000'000, rng), kStart + seconds(11));
}

TEST(PaceTest, ADelayIsOfOneWriteAndWhatComesAfterWaitsForIt) {
  Rng rng(1);
  Pace pace({milliseconds(1), milliseconds(1)});
  EXPECT_EQ(taken(pace, 1, rng), milliseconds(1));
  pace.delay_next(Extra{milliseconds(30), {}});
  EXPECT_EQ(taken(pace, 1, rng), milliseconds(31));
  EXPECT_EQ(taken(pace, 1, rng), milliseconds(31));
  EXPECT_EQ(pace.due(kStart + seconds(1), 1, rng), kStart + milliseconds(1'001));
}

}  // namespace
}  // namespace plumbline::fakes
