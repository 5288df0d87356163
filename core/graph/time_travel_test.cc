// The history of a thread: what each step was, going back to one, and changing the state by hand.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/graph/test_support.h"

namespace plumbline::graph {
namespace {

using Names = std::vector<std::string>;
using Kept = Checkpoint<Trail>;

class TimeTravelTest : public GraphFixture {
 protected:
  // one -> two -> three; `ask` in the middle where asked.
  static TrailGraph line(Node<Trail, World> middle = walk) {
    TrailBuilder builder;
    builder.add_node("one", walk).add_node("two", std::move(middle)).add_node("three", walk);
    builder.add_edge(kStart, "one").add_edge("one", "two").add_edge("two", "three");
    builder.add_edge("three", kEnd);
    return built(builder);
  }

  template <typename T>
  static T now(Task<T> task) {
    task.start();
    return std::move(task.result());
  }

  std::vector<Kept> history() { return now(saver_.history("t", {})).value(); }

  TrailOutcome go_on(const TrailGraph& graph, Thread<Trail>& thread) {
    return finish(graph.go_on(*now(thread.latest()).value(), {}, world_, loop_, nullptr, &thread));
  }

  MemorySaver<Trail> saver_;
  Thread<Trail> thread_{saver_, "t", loop_};
};

TEST_F(TimeTravelTest, EveryStepIsKeptWithItsNumberAndItsState) {
  const TrailGraph graph = line();
  finish(graph.run({}, {}, world_, loop_, nullptr, &thread_));
  const std::vector<Kept> steps = history();
  ASSERT_EQ(steps.size(), 4U);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto number = static_cast<std::int64_t>(3 - i);
    EXPECT_EQ(steps[i].step, number);
    EXPECT_EQ(steps[i].at.state.total, number);
    EXPECT_EQ(steps[i].origin, number == 0 ? Origin::kBeginning : Origin::kStep);
    EXPECT_EQ(steps[i].parent, number == 0 ? std::nullopt : std::optional(number - 1));
  }
  EXPECT_EQ(steps[2].at.branches.front().key, "two");
}

TEST_F(TimeTravelTest, AForkGoesOnFromAnEarlierStepInTheSameThread) {
  const TrailGraph graph = line();
  finish(graph.run({}, {}, world_, loop_, nullptr, &thread_));
  world_.calls.clear();
  const Result<Kept> forked = now(thread_.fork("t", 1));
  ASSERT_TRUE(forked.ok());
  EXPECT_EQ(forked.value().step, 4);
  EXPECT_EQ(forked.value().parent, 1);
  EXPECT_EQ(forked.value().origin, Origin::kFork);
  const TrailOutcome outcome = go_on(graph, thread_);
  EXPECT_EQ(outcome.state.steps, (Names{"one", "two", "three"}));
  EXPECT_EQ(world_.calls, (Names{"two", "three"}));
  EXPECT_EQ(history().size(), 7U);
  EXPECT_EQ(history().front().parent, 5);
}

TEST_F(TimeTravelTest, AForkIntoAnotherThreadLeavesTheFirstAsItWas) {
  const TrailGraph graph = line();
  finish(graph.run({}, {}, world_, loop_, nullptr, &thread_));
  Thread<Trail> other(saver_, "u", loop_);
  const Result<Kept> forked = now(other.fork("t", 2));
  ASSERT_TRUE(forked.ok());
  EXPECT_EQ(forked.value().step, 0);
  EXPECT_EQ(forked.value().parent, 2);
  EXPECT_EQ(forked.value().parent_thread, "t");
  EXPECT_EQ(go_on(graph, other).route, (Route{"one", "two", "three"}));
  EXPECT_EQ(history().size(), 4U);
  EXPECT_EQ(now(other.fork("t", 9)).error().message, "thread 't' has no step 9");
  EXPECT_EQ(now(other.fork("v", 0)).error().code, ErrorCode::kInvalidInput);
}

TEST_F(TimeTravelTest, AForkAsksAnew) {
  const TrailGraph graph = line(ask);
  finish(graph.run({}, {}, world_, loop_, nullptr, &thread_));
  ASSERT_TRUE(now(thread_.answer("two", "yes")).ok());
  EXPECT_EQ(go_on(graph, thread_).state.answer, R"("yes")");
  Thread<Trail> other(saver_, "u", loop_);
  ASSERT_TRUE(now(other.fork("t", 1)).ok());
  EXPECT_TRUE(now(other.latest()).value()->at.open().empty());
  EXPECT_EQ(go_on(graph, other).status, TrailOutcome::kInterrupted);
  ASSERT_TRUE(now(other.answer("two", "no")).ok());
  EXPECT_EQ(go_on(graph, other).state.answer, R"("no")");
}

TEST_F(TimeTravelTest, AnUpdateAsANodeGoesOnWithWhatFollowsIt) {
  const TrailGraph graph = line(ask);
  finish(graph.run({}, {}, world_, loop_, nullptr, &thread_));
  world_.calls.clear();
  Kept kept = *now(thread_.latest()).value();
  const Result<Kept> updated = graph.update(kept, {.add = 40}, "two", world_, loop_);
  ASSERT_TRUE(updated.ok());
  ASSERT_TRUE(now(thread_.put(updated.value())).ok());
  EXPECT_EQ(history().front().origin, Origin::kUpdate);
  EXPECT_EQ(history().front().parent, 1);
  const TrailOutcome outcome = go_on(graph, thread_);
  EXPECT_EQ(world_.calls, Names{"three"});
  EXPECT_EQ(outcome.state.total, 42);
}

TEST_F(TimeTravelTest, AnUpdateAsNobodyKeepsWhatIsNextAndAsksAnew) {
  const TrailGraph graph = line(ask);
  finish(graph.run({}, {}, world_, loop_, nullptr, &thread_));
  Kept kept = *now(thread_.latest()).value();
  const Result<Kept> updated = graph.update(kept, {.add = 40}, "", world_, loop_);
  ASSERT_TRUE(now(thread_.put(updated.value())).ok());
  const TrailOutcome outcome = go_on(graph, thread_);
  EXPECT_EQ(outcome.status, TrailOutcome::kInterrupted);
  EXPECT_EQ(outcome.state.total, 41);
}

TEST_F(TimeTravelTest, AnUpdateMayBeginAllAnewAndGoOnAfterTheEnd) {
  const TrailGraph graph = line();
  finish(graph.run({}, {}, world_, loop_, nullptr, &thread_));
  Kept kept = *now(thread_.latest()).value();
  const Result<Kept> anew = graph.update(kept, {}, kStart, world_, loop_);
  ASSERT_TRUE(now(thread_.put(anew.value())).ok());
  const TrailOutcome outcome = go_on(graph, thread_);
  EXPECT_EQ(outcome.state.total, 6);
  EXPECT_EQ(outcome.route.size(), 6U);
  EXPECT_EQ(graph.update(kept, {}, "four", world_, loop_).error().message,
            "node 'four' is none of this graph");
}

}  // namespace
}  // namespace plumbline::graph
