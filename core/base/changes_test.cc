#include "core/base/changes.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/task_group.h"
#include "core/base/timer_queue.h"

namespace plumbline {
namespace {

using std::chrono::seconds;

class ChangesTest : public testing::Test {
 protected:
  // A Loop that counts what it fires.
  class CountingLoop final : public Loop {
   public:
    Instant now() const override { return now_; }
    void arm(Timer& timer, Instant when) override { queue_.arm(timer, std::max(when, now_), 0); }
    void run() {
      while (!queue_.empty()) {
        now_ = queue_.next_due();
        queue_.fire_next();
        ++fired;
      }
    }
    int fired = 0;

   private:
    Instant now_{};
    TimerQueue queue_;
  };

  static Task<void> waits(Changes& changes, Instant deadline, int& count, int wanted,
                          std::vector<int>& came) {
    const auto is_there = [&count, wanted] { return count >= wanted; };
    const bool there = co_await changes.wait(deadline, is_there);
    came.push_back(there ? wanted : -wanted);
  }

  CountingLoop loop_;
  Changes changes_{loop_};
  int count_ = 0;
  std::vector<int> came_;
  TaskGroup tasks_;
};

TEST_F(ChangesTest, EveryoneWhoWaitsLooksWhenTold) {
  for (const int wanted : {2, 1, 2}) {
    tasks_.spawn(waits(changes_, kNever, count_, wanted, came_));
  }
  count_ = 1;
  changes_.tell();
  EXPECT_TRUE(came_.empty()) << "told from the loop, not from inside of who tells";
  loop_.run();
  EXPECT_EQ(came_, (std::vector<int>{1}));
  count_ = 2;
  changes_.tell();
  loop_.run();
  EXPECT_EQ(came_, (std::vector<int>{1, 2, 2}));
}

TEST_F(ChangesTest, NobodyLooksUntilTold) {
  tasks_.spawn(waits(changes_, after(Instant{}, seconds(3600)), count_, 1, came_));
  EXPECT_EQ(loop_.fired, 0);
  loop_.run();
  EXPECT_EQ(loop_.fired, 1) << "at the deadline alone";
  EXPECT_EQ(came_, (std::vector<int>{-1}));
  EXPECT_EQ(loop_.now(), after(Instant{}, seconds(3600)));
}

TEST_F(ChangesTest, WhatHasComeUnseenIsSeenAtTheDeadline) {
  tasks_.spawn(waits(changes_, after(Instant{}, seconds(1)), count_, 1, came_));
  count_ = 1;
  loop_.run();
  EXPECT_EQ(came_, (std::vector<int>{1}));
}

TEST_F(ChangesTest, WhatHoldsAlreadyIsNotWaitedFor) {
  count_ = 5;
  tasks_.spawn(waits(changes_, Instant{}, count_, 1, came_));
  EXPECT_EQ(came_, (std::vector<int>{1}));
}

TEST_F(ChangesTest, WhoIsDroppedIsToldNothing) {
  std::optional<Task<void>> dropped = waits(changes_, kNever, count_, 1, came_);
  dropped->start();
  changes_.tell();
  dropped.reset();
  count_ = 1;
  changes_.tell();
  loop_.run();
  EXPECT_TRUE(came_.empty());
}

TEST_F(ChangesTest, OneWaitReturnsWhetherItWasTold) {
  std::vector<int> told;
  const auto once = [](Changes& changes, Instant deadline, std::vector<int>& out) -> Task<void> {
    const bool was = co_await changes.next(deadline);
    out.push_back(was ? 1 : 0);
  };
  tasks_.spawn(once(changes_, kNever, told));
  tasks_.spawn(once(changes_, after(Instant{}, seconds(1)), told));
  changes_.tell();
  tasks_.spawn(once(changes_, after(Instant{}, seconds(1)), told));
  loop_.run();
  EXPECT_EQ(told, (std::vector<int>{1, 1, 0}));
}

}  // namespace
}  // namespace plumbline
