#include "core/base/timer_queue.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline {
namespace {

struct Probe final : Timer {
  explicit Probe(std::vector<Probe*>& fired) : log(fired) {}
  ~Probe() = default;
  void fire() override { log.push_back(this); }
  void cancel() { disarm(); }

  std::vector<Probe*>& log;
  std::tuple<std::int64_t, std::uint64_t, int> key;
};

// Against a model: arm, move and disarm at random, then the queue fires what is left in the order
// of (due, tie, when it was armed).
RC_GTEST_PROP(TimerQueuePropTest, FiresInTheOneTotalOrder, ()) {
  std::vector<Probe*> fired;
  TimerQueue queue;
  std::vector<std::unique_ptr<Probe>> probes;
  for (int i = 0; i < 40; ++i) probes.push_back(std::make_unique<Probe>(fired));
  std::vector<Probe*> expected;
  const auto steps = *rc::gen::inRange(0, 200);
  for (int step = 0; step < steps; ++step) {
    Probe* const probe = probes[*rc::gen::inRange<std::size_t>(0, probes.size())].get();
    std::erase(expected, probe);
    if (*rc::gen::inRange(0, 4) == 0) {
      probe->cancel();
      continue;
    }
    const auto due = *rc::gen::inRange<std::int64_t>(0, 5);
    const auto tie = *rc::gen::inRange<std::uint64_t>(0, 3);
    probe->key = {due, tie, step};
    queue.arm(*probe, Instant(Duration(due)), tie);
    expected.push_back(probe);
  }
  std::ranges::sort(expected, [](const Probe* a, const Probe* b) { return a->key < b->key; });
  RC_ASSERT(queue.size() == expected.size());
  while (!queue.empty()) queue.fire_next();
  RC_ASSERT(fired == expected);
}

// Against a model: the timers of the first Instant, in the order they were armed, and any of them
// can be fired.
RC_GTEST_PROP(TimerQueuePropTest, CollectsWhatIsDueFirst, ()) {
  std::vector<Probe*> fired;
  TimerQueue queue;
  std::vector<std::unique_ptr<Probe>> probes;
  std::int64_t first = 10;
  for (int i = 0; i < *rc::gen::inRange(1, 60); ++i) {
    probes.push_back(std::make_unique<Probe>(fired));
    const auto due = *rc::gen::inRange<std::int64_t>(0, 4);
    probes.back()->key = {due, 0, i};
    first = std::min(first, due);
    queue.arm(*probes.back(), Instant(Duration(due)), *rc::gen::inRange<std::uint64_t>(0, 9));
  }
  std::vector<Timer*> expected;
  for (const auto& probe : probes) {
    if (std::get<0>(probe->key) == first) expected.push_back(probe.get());
  }
  std::vector<Timer*> due;
  queue.collect_due(due);
  RC_ASSERT(due == expected);
  Timer* const chosen = due[*rc::gen::inRange<std::size_t>(0, due.size())];
  queue.fire(*chosen);
  RC_ASSERT((fired.size() == 1U && static_cast<Timer*>(fired.front()) == chosen));
  queue.collect_due(due);
  std::erase(expected, chosen);
  RC_ASSERT((expected.empty() || due == expected));
}

TEST(TimerQueueTest, ADestroyedTimerDoesNotFire) {
  std::vector<Probe*> fired;
  TimerQueue queue;
  {
    Probe probe(fired);
    queue.arm(probe, Instant(), 0);
  }
  EXPECT_TRUE(queue.empty());
}

TEST(TimerQueueTest, ATimerMayOutliveTheQueue) {
  std::vector<Probe*> fired;
  Probe probe(fired);
  {
    TimerQueue queue;
    queue.arm(probe, Instant(), 0);
  }
  EXPECT_FALSE(probe.armed());
}

}  // namespace
}  // namespace plumbline
