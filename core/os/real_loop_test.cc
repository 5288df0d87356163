#include "core/os/real_loop.h"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/wait.h"
#include "core/os/fd.h"
#include "core/os/fd_watch.h"
#include "core/os/interrupt.h"
#include "core/os/spinning.h"
#include "core/os/stop_flag.h"
#include "core/os/test_support.h"
#include "core/os/wall_clock.h"

namespace plumbline::os {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

class RealLoopTest : public testing::Test {
 protected:
  RealLoop loop_;
};

Task<int> sleep_then_return(Loop& loop, Duration delay, int value) {
  co_await Sleep(loop, loop.now() + delay);
  co_return value;
}

Task<void> sleep_for(Loop& loop, Duration delay) { co_await Sleep(loop, loop.now() + delay); }

TEST_F(RealLoopTest, ASleepTakesItsTimeAndEndsBeforeALongerOne) {
  const Instant start = loop_.now();
  bool late = false;
  Alarm longer([&late] { late = true; });
  loop_.arm(longer, start + seconds(2));
  EXPECT_EQ(run(loop_, sleep_then_return(loop_, milliseconds(20), 7)), 7);
  EXPECT_GE(loop_.now() - start, milliseconds(20));
  EXPECT_FALSE(late);
}

TEST_F(RealLoopTest, ALaterTimerDoesNotDelayAnEarlierOneArmedAfterIt) {
  Alarm late([] {});
  loop_.arm(late, loop_.now() + hours(1));
  EXPECT_FALSE(run_within(loop_, milliseconds(5), [] { return false; }));
  EXPECT_TRUE(run(loop_, sleep_for(loop_, milliseconds(5))));
}

TEST_F(RealLoopTest, NowStandsStillWithinACallbackAndMovesBetween) {
  std::vector<Instant> seen;
  Alarm first([&] {
    seen.push_back(loop_.now());
    usleep(2000);
    seen.push_back(loop_.now());
  });
  Alarm second([&] { seen.push_back(loop_.now()); });
  loop_.arm(first, loop_.now());
  loop_.arm(second, loop_.now());
  ASSERT_TRUE(run_within(loop_, seconds(5), [&] { return seen.size() == 3; }));
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_GE(seen[2] - seen[1], milliseconds(2));
}

TEST_F(RealLoopTest, EqualTimersFireInTheOrderTheyWereArmed) {
  std::string order;
  Alarm a([&] { order += 'a'; });
  Alarm b([&] { order += 'b'; });
  Alarm c([&] { order += 'c'; });
  const Instant when = loop_.now() + milliseconds(3);
  loop_.arm(b, when);
  loop_.arm(c, when);
  loop_.arm(a, when);
  ASSERT_TRUE(run_within(loop_, seconds(5), [&] { return order.size() == 3; }));
  EXPECT_EQ(order, "bca");
}

TEST_F(RealLoopTest, ATaskThatWaitsForNothingIsGivenUp) {
  Event never;
  const auto wait = [](Loop& loop, Event& event) -> Task<void> {
    co_await event.wait(loop, kNever);
  };
  EXPECT_FALSE(run(loop_, wait(loop_, never)));
}

TEST_F(RealLoopTest, StopEndsARunAndTheLoopCanRunAgain) {
  Alarm stopper([&] { loop_.stop(); });
  loop_.arm(stopper, loop_.now());
  EXPECT_FALSE(run(loop_, sleep_for(loop_, hours(1))));
  EXPECT_TRUE(run(loop_, sleep_for(loop_, milliseconds(1))));
}

TEST_F(RealLoopTest, TimersThatAreAlwaysDueDoNotStarveADescriptor) {
  Result<PipeEnds> ends = make_pipe();
  ASSERT_TRUE(ends.ok());
  ASSERT_EQ(write(ends.value().write.number(), "x", 1), 1);
  bool readable = false;
  FdWatch watch(loop_, std::move(ends.value().read), [&] { readable = true; });
  watch.await_readable();
  struct Busy final : Timer {
    explicit Busy(Loop& with) : loop(with) {}
    ~Busy() = default;
    void fire() override { loop.arm(*this, loop.now()); }
    Loop& loop;
  };
  Busy busy(loop_);
  busy.fire();
  EXPECT_TRUE(run_within(loop_, seconds(5), [&] { return readable; }));
}

TEST_F(RealLoopTest, ADestroyedWatchIsNotCalled) {
  Result<PipeEnds> ends = make_pipe();
  ASSERT_TRUE(ends.ok());
  bool called = false;
  {
    FdWatch watch(loop_, std::move(ends.value().read), [&] { called = true; });
    watch.await_readable();
    ASSERT_EQ(write(ends.value().write.number(), "x", 1), 1);
  }
  EXPECT_FALSE(run_within(loop_, milliseconds(20), [&] { return called; }));
}

TEST_F(RealLoopTest, AnInterruptArrivesOnTheLoopEachTime) {
  std::vector<int> signals;
  Interrupt interrupt(loop_, [&](int number) { signals.push_back(number); });
  raise(SIGINT);
  ASSERT_TRUE(run_within(loop_, seconds(5), [&] { return signals.size() == 1; }));
  raise(SIGTERM);
  ASSERT_TRUE(run_within(loop_, seconds(5), [&] { return signals.size() == 2; }));
  EXPECT_EQ(signals, (std::vector<int>{SIGINT, SIGTERM}));
}

TEST_F(RealLoopTest, AnInterruptMayStopTheLoopAndDestroyItself) {
  std::unique_ptr<Interrupt> interrupt;
  interrupt = std::make_unique<Interrupt>(loop_, [&](int) {
    loop_.stop();
    interrupt.reset();
  });
  raise(SIGINT);
  EXPECT_FALSE(run(loop_, sleep_for(loop_, seconds(20))));
}

// What no loop hears ends the process all the same, with the children that are known.
TEST(InterruptDeathTest, ALoopThatDoesNotTurnIsEndedBySignal) {
  const auto spin = [] {
    RealLoop loop;
    const Interrupt interrupt(loop, [](int) {});
    raise(SIGINT);
    for (;;) pause();
  };
  EXPECT_EXIT(spin(), testing::ExitedWithCode(130), "interrupted in the midst of a long step");
}

TEST(InterruptDeathTest, AFlagThatNobodyLooksAtIsEndedBySignal) {
  const auto spin = [] {
    const StopFlag flag;
    raise(SIGTERM);
    for (;;) pause();
  };
  EXPECT_EXIT(spin(), testing::ExitedWithCode(130), "interrupted in the midst of a long step");
}

TEST(WallClockTest, IsRfc3339InUtc) {
  const std::string text = wall_clock_rfc3339();
  ASSERT_EQ(text.size(), 20U);
  EXPECT_EQ(text[10], 'T');
  EXPECT_EQ(text.back(), 'Z');
}

class SpinningTest : public testing::Test {
 protected:
  // turns makes turns for `whole`: each takes `asleep`, or `awake` where it looked before. Returns
  // which part of the time it looked.
  double turns(Duration whole, Duration asleep, Duration awake) {
    Duration looked{};
    for (const Instant end = now_ + whole; now_ < end;) {
      const Duration took = spinning_.now() ? awake : asleep;
      if (spinning_.now()) looked += took;
      now_ += took;
      spinning_.turned(now_);
    }
    return static_cast<double>(looked.count()) / static_cast<double>(whole.count());
  }

  Instant now_{seconds(1)};
  Spinning spinning_;
};

TEST_F(SpinningTest, IsKeptUpWhereItHalvesTheTurns) {
  EXPECT_GT(turns(seconds(10), microseconds(30), microseconds(15)), 0.95);
}

TEST_F(SpinningTest, IsHardlyTriedWhereItIsWorthNothing) {
  const double looked = turns(seconds(10), microseconds(30), microseconds(30));
  EXPECT_LT(looked, 0.01);
  EXPECT_GT(looked, 0);
}

TEST_F(SpinningTest, IsGivenUpWhereItKeepsThePeerFromItsWork) {
  EXPECT_LT(turns(seconds(10), microseconds(10), milliseconds(4)), 0.05);
}

TEST_F(SpinningTest, IsNotForWhoAnswersSlowly) {
  EXPECT_EQ(turns(seconds(10), microseconds(150), microseconds(60)), 0);
}

TEST_F(SpinningTest, EndsWhenNothingComesAnyMore) {
  turns(seconds(1), microseconds(30), microseconds(15));
  ASSERT_TRUE(spinning_.now());
  turns(seconds(1), milliseconds(20), milliseconds(20));
  EXPECT_FALSE(spinning_.now());
}

TEST_F(SpinningTest, OneLateTurnDoesNotEndIt) {
  turns(seconds(1), microseconds(30), microseconds(15));
  ASSERT_TRUE(spinning_.now());
  now_ += milliseconds(50);
  spinning_.turned(now_);
  EXPECT_TRUE(spinning_.now());
}

TEST_F(SpinningTest, IsTriedAgainWhenACoreIsFreeAgain) {
  turns(seconds(10), microseconds(30), microseconds(30));
  EXPECT_GT(turns(seconds(3), microseconds(30), microseconds(15)), 0.5);
}

}  // namespace
}  // namespace plumbline::os
