#include "core/connector/links/pacing.h"

#include <gtest/gtest.h>

namespace plumbline::connector {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Instant at(Duration when) { return Instant(when); }

// fail_at_once begins an opening that fails in no time.
void fail_at_once(Pace& pace, Duration when) {
  EXPECT_FALSE(pace.refusal(at(when)));
  pace.failed(at(when), seconds(0), "it exits");
}

TEST(PaceTest, TheFirstFailureCostsNothingAndTheWaitsAfterItDouble) {
  Pace pace;
  EXPECT_TRUE(pace.may_repeat());
  fail_at_once(pace, seconds(0));
  EXPECT_FALSE(pace.may_repeat());
  fail_at_once(pace, seconds(0));
  const std::optional<std::string> why = pace.refusal(at(milliseconds(400)));
  ASSERT_TRUE(why);
  EXPECT_EQ(*why, "it exits (after 2 failures in a row it is not tried again for 600 ms)");
  fail_at_once(pace, seconds(1));
  EXPECT_TRUE(pace.refusal(at(milliseconds(2'999))));
  fail_at_once(pace, seconds(3));
  EXPECT_TRUE(pace.refusal(at(milliseconds(6'999))));
  EXPECT_FALSE(pace.refusal(at(seconds(7))));
}

TEST(PaceTest, NoWaitIsLongerThanAMinute) {
  Pace pace;
  for (int i = 0; i < 40; ++i) fail_at_once(pace, std::chrono::minutes(i));
  EXPECT_TRUE(pace.refusal(at(std::chrono::minutes(39) + seconds(59))));
  EXPECT_FALSE(pace.refusal(at(std::chrono::minutes(40))));
}

TEST(PaceTest, ASilentServerIsLeftAloneForAsLongAsItWasWaitedFor) {
  Pace pace;
  EXPECT_FALSE(pace.refusal(at(seconds(0))));
  pace.failed(at(seconds(30)), seconds(30), "initialize was not answered");
  EXPECT_TRUE(pace.refusal(at(seconds(59))));
  EXPECT_FALSE(pace.refusal(at(seconds(60))));
}

TEST(PaceTest, AServerThatFellSilentIsStartedAtOnceTheFirstTimeAndThenLeftAlone) {
  Pace pace;
  EXPECT_FALSE(pace.refusal(at(seconds(0))));
  pace.opened(at(seconds(0)));
  pace.silenced(at(seconds(100)), seconds(65), "it answered nothing");
  EXPECT_FALSE(pace.refusal(at(seconds(100)))) << "it had lasted";
  pace.opened(at(seconds(100)));
  pace.silenced(at(seconds(165)), seconds(65), "it answered nothing");
  EXPECT_TRUE(pace.refusal(at(seconds(224)))) << "it never said a word";
  EXPECT_FALSE(pace.refusal(at(seconds(225))));
}

TEST(PaceTest, AConnectionThatLastedWasNoFailure) {
  Pace pace;
  EXPECT_FALSE(pace.refusal(at(seconds(0))));
  pace.opened(at(seconds(0)));
  EXPECT_FALSE(pace.refusal(at(seconds(1)))) << "lost once, a second after it was opened";
  pace.opened(at(seconds(1)));
  EXPECT_TRUE(pace.refusal(at(milliseconds(1'500)))) << "lost twice in a row";
  EXPECT_FALSE(pace.refusal(at(seconds(2))));
  pace.opened(at(seconds(2)));
  EXPECT_FALSE(pace.refusal(at(seconds(12)))) << "it had lasted";
  EXPECT_TRUE(pace.may_repeat());
}

}  // namespace
}  // namespace plumbline::connector
