#include "fakes/world/sim_loop.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/wait.h"

namespace plumbline::fakes {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

struct Probe final : Timer {
  Probe(std::vector<int>& log, int id) : fired(log), number(id) {}
  ~Probe() = default;
  void fire() override { fired.push_back(number); }
  std::vector<int>& fired;
  int number;
};

// fire_ties returns in which order twelve timers fire that were armed for one Instant.
std::vector<int> fire_ties(Order order, std::uint64_t seed) {
  SimLoop loop(order, Rng(seed));
  std::vector<int> fired;
  std::vector<std::unique_ptr<Probe>> probes;
  for (int i = 0; i < 12; ++i) {
    probes.push_back(std::make_unique<Probe>(fired, i));
    loop.arm(*probes.back(), Instant(seconds(1)));
  }
  EXPECT_EQ(loop.run_until_idle().value(), 12);
  return fired;
}

TEST(SimLoopTest, EqualInstantsFireInTheOrderTheyWereArmed) {
  EXPECT_EQ(fire_ties(Order::kFifo, 1), (std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

TEST(SimLoopTest, PermutedEqualInstantsFireInAnOrderThatIsTheSeedsAlone) {
  const std::vector<int> fifo = fire_ties(Order::kFifo, 1);
  std::vector<std::vector<int>> seen;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::vector<int> order = fire_ties(Order::kPermuted, seed);
    EXPECT_EQ(order, fire_ties(Order::kPermuted, seed));
    EXPECT_NE(order, fifo);
    seen.push_back(std::move(order));
  }
  std::ranges::sort(seen);
  EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end());
}

TEST(SimLoopTest, PermutationNeverOvertakesAnEarlierInstant) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SimLoop loop(Order::kPermuted, Rng(seed));
    std::vector<int> fired;
    Probe late(fired, 2);
    Probe early(fired, 1);
    loop.arm(late, Instant(Duration(11)));
    loop.arm(early, Instant(Duration(10)));
    ASSERT_TRUE(loop.run_until_idle().ok());
    EXPECT_EQ(fired, (std::vector{1, 2}));
  }
}

// Busy arms itself for the same Instant a few times, so that what is due changes as it goes.
struct Busy final : Timer {
  Busy(Loop& its_loop, std::vector<int>& log, int id) : loop(its_loop), fired(log), number(id) {}
  ~Busy() = default;
  void fire() override {
    fired.push_back(number);
    if (++times < 3) loop.arm(*this, loop.now());
  }
  Loop& loop;
  std::vector<int>& fired;
  int number;
  int times = 0;
};

std::vector<int> run_busy(SimLoop& loop) {
  std::vector<int> fired;
  std::vector<std::unique_ptr<Busy>> all;
  for (int i = 0; i < 4; ++i) {
    all.push_back(std::make_unique<Busy>(loop, fired, i));
    loop.arm(*all.back(), Instant(seconds(1 + i / 3)));
  }
  EXPECT_TRUE(loop.run_until_idle().ok());
  return fired;
}

TEST(SimLoopTest, APermutedOrderIsWrittenDownAndComesAgainFromItsSchedule) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Schedule schedule;
    SimLoop permuted(Order::kPermuted, Rng(seed));
    permuted.write_schedule(schedule);
    const std::vector<int> drawn = run_busy(permuted);
    ScheduleChooser chooser(schedule);
    SimLoop chosen(chooser);
    EXPECT_EQ(run_busy(chosen), drawn);
    SimLoop unwatched(Order::kPermuted, Rng(seed));
    EXPECT_EQ(run_busy(unwatched), drawn);
  }
}

TEST(SimLoopTest, AScheduleThatEndsEarlyGoesOnInTheOrderTheyWereArmed) {
  const Schedule none;
  ScheduleChooser first(none);
  SimLoop chosen(first);
  SimLoop fifo;
  EXPECT_EQ(run_busy(chosen), run_busy(fifo));
  const Schedule one = {2};
  ScheduleChooser third(one);
  SimLoop late(third);
  EXPECT_EQ(run_busy(late), (std::vector{2, 0, 1, 2, 0, 1, 2, 0, 1, 3, 3, 3}));
}

// OwnedAlarm does something in a turn of its owner.
struct OwnedAlarm final : Owned {
  OwnedAlarm(std::uint32_t owner, std::function<void()> on_fire) : act(std::move(on_fire)) {
    belongs_to(owner);
  }
  ~OwnedAlarm() = default;
  void fire() override { act(); }
  std::function<void()> act;
};

// FirstChooser notes whose turns there were to choose from.
struct FirstChooser final : Chooser {
  std::size_t choose(const std::vector<Origin>& due) override {
    seen.push_back(due);
    return 0;
  }
  std::vector<std::vector<Origin>> seen;
};

TEST(SimLoopTest, AChooserIsToldWhoseTurnEachTimerIs) {
  FirstChooser chooser;
  SimLoop loop(chooser);
  OwnedAlarm theirs(3, [] {});
  Alarm inherited([] {});
  OwnedAlarm owned(7, [&] {
    loop.arm(theirs, loop.now());
    loop.arm(inherited, loop.now());
  });
  loop.arm(owned, Instant());
  ASSERT_TRUE(loop.run_until_idle().ok());
  EXPECT_EQ(chooser.seen,
            (std::vector<std::vector<Origin>>{{{7, 0, 0}}, {{3, 7, 0}, {7, 7, 1}}, {{7, 7, 1}}}));
}

TEST(SimLoopTest, TimeStandsStillWithinATurnAndJumpsBetweenTurns) {
  SimLoop loop;
  std::vector<std::int64_t> seen;
  Alarm first([&] {
    const Instant before = loop.now();
    seen.push_back(milliseconds_of(before.time_since_epoch()));
    EXPECT_EQ(loop.now(), before);
  });
  Alarm second([&] { seen.push_back(milliseconds_of(loop.now().time_since_epoch())); });
  loop.arm(second, Instant(hours(10)));
  loop.arm(first, Instant(seconds(1)));
  ASSERT_TRUE(loop.run_until_idle().ok());
  EXPECT_EQ(seen, (std::vector<std::int64_t>{1'000, 36'000'000}));
}

TEST(SimLoopTest, AnInstantInThePastFiresNowAndTimeNeverGoesBack) {
  SimLoop loop;
  Alarm past([&] { EXPECT_EQ(loop.now(), Instant(seconds(5))); });
  Alarm present([&] { loop.arm(past, Instant(seconds(1))); });
  loop.arm(present, Instant(seconds(5)));
  EXPECT_EQ(loop.run_until_idle().value(), 2);
  EXPECT_EQ(loop.now(), Instant(seconds(5)));
}

TEST(SimLoopTest, RunningUntilAnInstantLeavesLaterTimersArmed) {
  SimLoop loop;
  int fired = 0;
  Alarm alarm([&] { ++fired; });
  loop.arm(alarm, Instant(seconds(30)));
  EXPECT_EQ(loop.run_until_idle(100, Instant(milliseconds(29'999))).value(), 0);
  EXPECT_EQ(loop.now(), Instant(milliseconds(29'999)));
  EXPECT_EQ(loop.timers(), 1U);
  EXPECT_EQ(loop.run_until_idle(100, Instant(seconds(30))).value(), 1);
  EXPECT_EQ(fired, 1);
  EXPECT_TRUE(loop.idle());
}

TEST(SimLoopTest, AWorldThatNeverRestsReachesTheBoundOfTurns) {
  SimLoop loop;
  int fired = 0;
  Alarm restless([&] {
    ++fired;
    loop.arm(restless, loop.now());
  });
  loop.arm(restless, Instant());
  const Result<std::int64_t> turns = loop.run_until_idle(1'000);
  ASSERT_FALSE(turns.ok());
  EXPECT_EQ(turns.error().code, ErrorCode::kLimitReached);
  EXPECT_EQ(turns.error().message,
            "the world still moves after 1000 turns, at 0 ms of virtual time");
  EXPECT_EQ(fired, 1'000);
}

TEST(SimLoopTest, ExactlyTheBoundOfTurnsIsNotAnError) {
  SimLoop loop;
  Alarm once([] {});
  loop.arm(once, Instant());
  EXPECT_EQ(loop.run_until_idle(1).value(), 1);
}

Task<int> sleep_and_return(Loop& loop, Duration delay, int value) {
  co_await Sleep(loop, loop.now() + delay);
  co_return value;
}

TEST(SimLoopTest, ATaskRunsToItsEndAndNoFurther) {
  SimLoop loop;
  Alarm later([] { FAIL() << "the task was done before"; });
  loop.arm(later, Instant(hours(2)));
  Task<int> task = sleep_and_return(loop, hours(1), 7);
  ASSERT_TRUE(loop.run_task(task).ok());
  EXPECT_EQ(task.result(), 7);
  EXPECT_EQ(loop.now(), Instant(hours(1)));
}

TEST(SimLoopTest, ATaskThatIsTooSlowIsNamedLateAndStaysSuspended) {
  SimLoop loop;
  Task<int> task = sleep_and_return(loop, hours(1), 7);
  const Result<std::int64_t> run = loop.run_task(task, 100, Instant(seconds(1)));
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().code, ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(run.error().message, "the time was up before it was done, at 1000 ms of virtual time");
  EXPECT_FALSE(task.done());
  task.drop();
  EXPECT_TRUE(loop.idle());
}

TEST(SimLoopTest, APredicateThatNothingCanFulfilEndsInAnError) {
  SimLoop loop;
  const Result<std::int64_t> run = loop.run_until([] { return false; });
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().message, "the world fell idle before it was done, at 0 ms of virtual time");
}

}  // namespace
}  // namespace plumbline::fakes
