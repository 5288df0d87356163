#include "core/base/task.h"

#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/task_group.h"
#include "core/base/timer_queue.h"
#include "core/base/wait.h"

namespace plumbline {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

// The smallest Loop: fires what is due and jumps to the next. fakes::SimLoop is the real one.
class TinyLoop final : public Loop {
 public:
  Instant now() const override { return now_; }
  void arm(Timer& timer, Instant when) override { queue_.arm(timer, std::max(when, now_), 0); }
  bool idle() const { return queue_.empty(); }
  void run() {
    while (!queue_.empty()) {
      now_ = queue_.next_due();
      queue_.fire_next();
    }
  }

 private:
  Instant now_{};
  TimerQueue queue_;
};

class TaskTest : public testing::Test {
 protected:
  TinyLoop loop_;
  std::vector<std::string> log_;
};

Task<int> sleep_then_return(Loop& loop, Duration delay, int value) {
  co_await Sleep(loop, loop.now() + delay);
  co_return value;
}

Task<int> sum_of_two(Loop& loop) {
  const int first = co_await sleep_then_return(loop, hours(1), 40);
  const int second = co_await sleep_then_return(loop, hours(2), 2);
  co_return first + second;
}

TEST_F(TaskTest, AwaitedSleepsTakeNoRealTime) {
  Task<int> task = sum_of_two(loop_);
  task.start();
  loop_.run();
  ASSERT_TRUE(task.done());
  EXPECT_EQ(task.result(), 42);
  EXPECT_EQ(loop_.now(), Instant(hours(3)));
}

TEST_F(TaskTest, DroppingATaskDisarmsItsTimer) {
  {
    Task<int> task = sum_of_two(loop_);
    task.start();
    EXPECT_FALSE(loop_.idle());
  }
  EXPECT_TRUE(loop_.idle());
}

Task<int> ready(int value) { co_return value; }

Task<std::int64_t> sum_many(int count) {
  std::int64_t sum = 0;
  for (int i = 0; i < count; ++i) sum += co_await ready(1);
  co_return sum;
}

TEST_F(TaskTest, AMillionReadyTasksInALoopUseNoStack) {
  Task<std::int64_t> task = sum_many(1'000'000);
  task.start();
  ASSERT_TRUE(task.done());
  EXPECT_EQ(task.result(), 1'000'000);
}

Task<void> wait_for(Loop& loop, Event& event, Instant deadline, std::vector<std::string>& log) {
  const bool set = co_await event.wait(loop, deadline);
  log.push_back(set ? "set" : "late");
}

TEST_F(TaskTest, AnEventWakesItsWaiterOnceAndLatches) {
  Event event;
  TaskGroup group;
  group.spawn(wait_for(loop_, event, kNever, log_));
  EXPECT_TRUE(log_.empty());
  event.set();
  EXPECT_EQ(log_, std::vector<std::string>{"set"});
  group.spawn(wait_for(loop_, event, kNever, log_));
  EXPECT_EQ(log_.size(), 2U);
  EXPECT_EQ(group.running(), 0U);
}

TEST_F(TaskTest, AnEventThatIsNeverSetGivesUpAtItsDeadline) {
  Event event;
  TaskGroup group;
  group.spawn(wait_for(loop_, event, Instant(seconds(5)), log_));
  loop_.run();
  EXPECT_EQ(log_, std::vector<std::string>{"late"});
  EXPECT_EQ(loop_.now(), Instant(seconds(5)));
}

TEST_F(TaskTest, DroppingAWaiterUnregistersIt) {
  Event event;
  {
    TaskGroup group;
    group.spawn(wait_for(loop_, event, Instant(seconds(5)), log_));
  }
  event.set();
  EXPECT_TRUE(log_.empty());
  EXPECT_TRUE(loop_.idle());
}

struct Guard {
  explicit Guard(std::vector<std::string>& entries) : log(entries) {}
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() { log.push_back("unwound"); }
  std::vector<std::string>& log;
};

Task<int> guarded_sleep(Loop& loop, Duration delay, std::vector<std::string>& log) {
  const Guard guard(log);
  co_await Sleep(loop, loop.now() + delay);
  co_return 7;
}

Task<void> race(Loop& loop, Duration delay, std::vector<std::string>& log) {
  Task<int> slow = guarded_sleep(loop, delay, log);
  const Result<int> got =
      co_await with_deadline(loop, loop.now() + seconds(10), "the answer", std::move(slow));
  log.push_back(got.ok() ? std::to_string(got.value()) : got.error().message);
}

TEST_F(TaskTest, WithDeadlineReturnsWhatCameInTime) {
  TaskGroup group;
  group.spawn(race(loop_, seconds(9), log_));
  loop_.run();
  EXPECT_EQ(log_, (std::vector<std::string>{"unwound", "7"}));
  EXPECT_EQ(loop_.now(), Instant(seconds(9)));
}

TEST_F(TaskTest, WithDeadlineDropsWhatIsLateAndNamesIt) {
  TaskGroup group;
  group.spawn(race(loop_, seconds(11), log_));
  loop_.run();
  EXPECT_EQ(log_, (std::vector<std::string>{"unwound", "the answer took too long"}));
  EXPECT_EQ(loop_.now(), Instant(seconds(10)));
}

Task<void> join_two(Loop& loop, std::vector<std::string>& log) {
  TaskGroup group;
  group.spawn(race(loop, seconds(1), log));
  group.spawn(race(loop, seconds(3), log));
  co_await group.join(loop);
  log.push_back("joined " + std::to_string(group.running()));
}

// The group dies as soon as join() returns: that must not be from inside its last task.
TEST_F(TaskTest, JoinWaitsForAllAndMayDestroyTheGroupNext) {
  TaskGroup group;
  group.spawn(join_two(loop_, log_));
  loop_.run();
  EXPECT_EQ(log_, (std::vector<std::string>{"unwound", "7", "unwound", "7", "joined 0"}));
  EXPECT_EQ(loop_.now(), Instant(seconds(3)));
}

TEST_F(TaskTest, AGroupDropsItsTasksLastFirst) {
  {
    TaskGroup group;
    group.spawn(race(loop_, hours(1), log_));
    group.spawn(race(loop_, hours(1), log_));
    EXPECT_EQ(group.running(), 2U);
  }
  EXPECT_EQ(log_.size(), 2U);
  EXPECT_TRUE(loop_.idle());
}

}  // namespace
}  // namespace plumbline
