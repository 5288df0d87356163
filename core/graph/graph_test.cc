#include "core/graph/graph.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/graph/test_support.h"

namespace plumbline::graph {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

class GraphTest : public GraphFixture {
 protected:
  // A graph of one node, "only", between start and end.
  static TrailGraph lone(Node<Trail, World> node, NodePolicy policy = {}) {
    TrailBuilder builder;
    builder.add_node("only", std::move(node), policy);
    builder.add_edge(kStart, "only").add_edge("only", kEnd);
    return built(builder);
  }

  // a -> b -> (a until the trail has `target` steps, then end).
  template <std::int64_t target>
  static TrailGraph ring(NodePolicy policy_of_b = {}) {
    TrailBuilder builder;
    builder.add_node("a", walk).add_node("b", walk, policy_of_b);
    builder.add_edge(kStart, "a").add_edge("a", "b");
    builder.add_conditional_edges(
        "b", [](const Trail& trail) { return trail.total < target ? std::string_view("a") : kEnd; },
        {"a", kEnd});
    return built(builder);
  }
};

Task<TrailResult> learn(TrailContext& context) {
  Trail::Update update = trace_of(context);
  update.facts = {{"shared", std::string(context.node())}, {std::string(context.node()), "x"}};
  if (context.node() == "b") update.answer = "from b";
  co_return update;
}

TEST_F(GraphTest, ReducersAppendMergeSumAndReplace) {
  TrailBuilder builder;
  builder.add_node("a", learn).add_node("b", learn).add_node("c", learn);
  builder.add_edge(kStart, "a").add_edge("a", "b").add_edge("b", "c").add_edge("c", kEnd);
  const TrailGraph graph = built(builder);
  const TrailOutcome outcome = run(graph);
  EXPECT_EQ(outcome.status, TrailOutcome::kFinished);
  EXPECT_EQ(outcome.state.steps, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(outcome.state.facts, (std::map<std::string, std::string>{
                                     {"a", "x"}, {"b", "x"}, {"c", "x"}, {"shared", "c"}}));
  EXPECT_EQ(outcome.state.total, 3);
  EXPECT_EQ(outcome.state.answer, "from b");
  EXPECT_FALSE(outcome.snapshot.has_value());
}

TEST_F(GraphTest, ARouterChoosesAmongItsTargets) {
  TrailBuilder builder;
  builder.add_node("low", walk).add_node("high", walk);
  builder.add_conditional_edges(
      kStart,
      [](const Trail& trail) -> std::string_view { return trail.total < 5 ? "low" : "high"; },
      {{"small", "low"}, {"large", "high"}});
  builder.add_edge("low", kEnd).add_edge("high", kEnd);
  const TrailGraph graph = built(builder);
  for (const auto& [total, node] : {std::pair{4, "low"}, {5, "high"}}) {
    const TrailOutcome outcome =
        finish(graph.run(Trail{.total = total}, RunOptions(), world_, loop_));
    EXPECT_EQ(outcome.route, Route{node});
  }
}

TEST_F(GraphTest, ARouterThatReturnsAnUndeclaredTargetFailsTheRun) {
  TrailBuilder builder;
  builder.add_node("a", walk).add_node("b", walk);
  builder.add_edge(kStart, "a").add_edge("b", kEnd);
  builder.add_conditional_edges("a", [](const Trail&) -> std::string_view { return kEnd; }, {"b"});
  const TrailGraph graph = built(builder);
  const TrailOutcome outcome = run(graph);
  EXPECT_EQ(outcome.status, TrailOutcome::kFailed);
  EXPECT_EQ(outcome.error.code, ErrorCode::kInvalidInput);
  EXPECT_EQ(outcome.error.message, "router of 'a' returned '__end__', not one of its targets");
  EXPECT_EQ(outcome.state.steps, std::vector<std::string>{"a"});
}

TEST_F(GraphTest, ALoopGoesRoundUntilItsRouterLeaves) {
  const TrailGraph graph = ring<6>();
  const TrailOutcome outcome = run(graph);
  EXPECT_EQ(outcome.route, (Route{"a", "b", "a", "b", "a", "b"}));
  EXPECT_EQ(outcome.steps, 6);
}

TEST_F(GraphTest, TheStepLimitEndsALoopAndNamesTheNode) {
  const TrailGraph graph = ring<6>();
  EXPECT_EQ(run(graph, {.steps_max = 6}).status, TrailOutcome::kFinished);
  const TrailOutcome outcome = run(graph, {.steps_max = 5});
  EXPECT_EQ(outcome.status, TrailOutcome::kFailed);
  EXPECT_EQ(outcome.error.code, ErrorCode::kLimitReached);
  EXPECT_EQ(outcome.error.message, "node 'b' is beyond the limit of 5 steps");
  EXPECT_EQ(outcome.steps, 5);
  EXPECT_EQ(outcome.state.total, 5);
}

TEST_F(GraphTest, TheDefaultStepLimitIsReached) {
  const TrailGraph graph = ring<INT64_MAX>();
  const TrailOutcome outcome = finish(graph.run(Trail(), RunOptions(), world_, loop_));
  EXPECT_EQ(outcome.error.code, ErrorCode::kLimitReached);
  EXPECT_EQ(outcome.steps, limits::kGraphStepsMax);
}

TEST_F(GraphTest, TheVisitLimitOfANodeEndsALoopAndNamesTheNode) {
  const TrailGraph enough = ring<6>({.visits_max = 3});
  EXPECT_EQ(run(enough).status, TrailOutcome::kFinished);
  const TrailGraph graph = ring<6>({.visits_max = 2});
  const TrailOutcome outcome = run(graph);
  EXPECT_EQ(outcome.status, TrailOutcome::kFailed);
  EXPECT_EQ(outcome.error.code, ErrorCode::kLimitReached);
  EXPECT_EQ(outcome.error.message, "node 'b' is beyond its limit of 2 visits");
  EXPECT_EQ(outcome.route, (Route{"a", "b", "a", "b", "a"}));
}

TEST_F(GraphTest, AFailedNodeFailsTheRunAndLeavesTheStateAsItWas) {
  TrailBuilder builder;
  builder.add_node("a", walk).add_node("b", stumble);
  builder.add_edge(kStart, "a").add_edge("a", "b").add_edge("b", kEnd);
  const TrailGraph graph = built(builder);
  world_.failures_left = 1;
  const TrailOutcome outcome = run(graph);
  EXPECT_EQ(outcome.status, TrailOutcome::kFailed);
  EXPECT_EQ(outcome.error.code, ErrorCode::kDisconnected);
  EXPECT_EQ(outcome.error.message, "node 'b' failed: the bridge is out");
  EXPECT_EQ(outcome.state.steps, std::vector<std::string>{"a"});
  EXPECT_EQ(outcome.route, (Route{"a", "b"}));
}

constexpr NodePolicy kPatient = {.attempts_max = 6,
                                 .backoff_initial = milliseconds(100),
                                 .backoff_max = milliseconds(700),
                                 .backoff_growth_percent = 200};

TEST_F(GraphTest, RetriesBackOffByDoublingUpToTheMaximum) {
  world_.failures_left = 5;
  const TrailGraph graph = lone(stumble, kPatient);
  const TrailOutcome outcome = run(graph);
  EXPECT_EQ(outcome.status, TrailOutcome::kFinished);
  EXPECT_EQ(outcome.steps, 1);
  EXPECT_EQ(outcome.route, Route{"only"});
  std::vector<std::int64_t> at_ms;
  for (const Instant at : world_.at) at_ms.push_back(milliseconds_of(at.time_since_epoch()));
  EXPECT_EQ(at_ms, (std::vector<std::int64_t>{0, 100, 300, 700, 1'400, 2'100}));
}

TEST_F(GraphTest, RetriesGiveUpAfterTheLastAttempt) {
  world_.failures_left = 7;
  const TrailGraph graph = lone(stumble, kPatient);
  const TrailOutcome outcome = run(graph);
  EXPECT_EQ(outcome.status, TrailOutcome::kFailed);
  EXPECT_EQ(world_.calls.size(), 6U);
  EXPECT_EQ(world_.failures_left, 1);
}

TEST_F(GraphTest, AnErrorThatWouldComeAgainIsNotRetried) {
  world_.failures_left = 1;
  world_.failure = ErrorCode::kInvalidInput;
  const TrailGraph graph = lone(stumble, kPatient);
  EXPECT_EQ(run(graph).status, TrailOutcome::kFailed);
  EXPECT_EQ(world_.calls.size(), 1U);
}

TEST_F(GraphTest, RetryOnDecidesWhatIsRetried) {
  NodePolicy policy = kPatient;
  policy.retry_on = [](const Error& error) { return error.code == ErrorCode::kInvalidInput; };
  world_.failures_left = 1;
  world_.failure = ErrorCode::kInvalidInput;
  const TrailGraph graph = lone(stumble, policy);
  EXPECT_EQ(run(graph).status, TrailOutcome::kFinished);
}

TEST_F(GraphTest, AHangingNodeIsDroppedAtItsTimeout) {
  const TrailGraph graph = lone(linger, {.timeout = minutes(59)});
  Task<TrailOutcome> task = graph.run(Trail(), RunOptions(), world_, loop_, &recorder_);
  task.start();
  loop_.run_until(Instant(minutes(59)) - Duration(1));
  EXPECT_FALSE(task.done());
  EXPECT_EQ(world_.unwound, 0);
  loop_.run_until(Instant(minutes(59)));
  ASSERT_TRUE(task.done());
  EXPECT_EQ(world_.unwound, 1);
  EXPECT_TRUE(loop_.idle());
  EXPECT_EQ(task.result().error.code, ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(task.result().error.message, "node 'only' failed: it took too long");
}

TEST_F(GraphTest, ANodeThatEndsBeforeItsTimeoutIsNotDropped) {
  const TrailGraph graph = lone(linger, {.timeout = minutes(61)});
  EXPECT_EQ(run(graph).status, TrailOutcome::kFinished);
}

TEST_F(GraphTest, ATimeoutIsAnErrorThatRetryCatches) {
  const TrailGraph graph = lone(linger, {.attempts_max = 3, .timeout = minutes(1)});
  EXPECT_EQ(run(graph).error.code, ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(world_.calls.size(), 3U);
  EXPECT_EQ(world_.unwound, 3);
  EXPECT_EQ(loop_.now(), Instant(minutes(3) + seconds(1 + 2)));
}

TEST_F(GraphTest, TheDeadlineOfTheRunDropsItsNodeAndIsNotRetried) {
  const TrailGraph graph = lone(linger, {.attempts_max = 3});
  const TrailOutcome outcome = run(graph, {.deadline = Instant(minutes(5))});
  EXPECT_EQ(outcome.error.code, ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(world_.calls.size(), 1U);
  EXPECT_EQ(loop_.now(), Instant(minutes(5)));
}

TEST_F(GraphTest, ABackoffThatWouldOutlastTheRunIsNotBegun) {
  world_.failures_left = 6;
  const TrailGraph graph = lone(stumble, kPatient);
  const TrailOutcome outcome = run(graph, {.deadline = Instant(milliseconds(300))});
  EXPECT_EQ(outcome.error.message, "node 'only' failed: the bridge is out");
  EXPECT_EQ(world_.calls.size(), 2U);
  EXPECT_EQ(loop_.now(), Instant(milliseconds(100)));
}

TEST_F(GraphTest, NoNodeBeginsAfterTheDeadlineOfTheRun) {
  loop_.run_until(Instant(hours(1)));
  const TrailGraph graph = lone(walk);
  const TrailOutcome outcome = run(graph, {.deadline = Instant(hours(1))});
  EXPECT_EQ(outcome.error.code, ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(outcome.error.message, "node 'only' came after the run's deadline");
  EXPECT_TRUE(world_.calls.empty());
}

Task<TrailResult> tell_deadline(TrailContext& context) {
  Trail::Update update;
  update.add = nanoseconds_of(context.deadline());
  co_return update;
}

TEST_F(GraphTest, ANodeSeesTheNearerOfItsTimeoutAndTheDeadline) {
  const TrailGraph timed = lone(tell_deadline, {.timeout = Duration(50)});
  EXPECT_EQ(run(timed).state.total, 50);
  EXPECT_EQ(run(timed, {.deadline = Instant(Duration(40))}).state.total, 40);
  EXPECT_EQ(run(timed, {.deadline = Instant(Duration(60))}).state.total, 50);
  const TrailGraph free = lone(tell_deadline);
  EXPECT_EQ(run(free).state.total, nanoseconds_of(kNever));
}

TEST_F(GraphTest, DroppingARunDropsItsNode) {
  const TrailGraph graph = lone(linger, {.timeout = hours(9)});
  {
    Task<TrailOutcome> task = graph.run(Trail(), RunOptions(), world_, loop_);
    task.start();
    EXPECT_FALSE(loop_.idle());
  }
  EXPECT_TRUE(loop_.idle());
  EXPECT_EQ(world_.unwound, 1);
}

TEST_F(GraphTest, DroppingARunThatBacksOffDisarmsItsTimer) {
  world_.failures_left = 1;
  const TrailGraph graph = lone(stumble, kPatient);
  {
    Task<TrailOutcome> task = graph.run(Trail(), RunOptions(), world_, loop_);
    task.start();
    EXPECT_FALSE(loop_.idle());
  }
  EXPECT_TRUE(loop_.idle());
}

TEST_F(GraphTest, RunsOfOneGraphDoNotDisturbEachOther) {
  const TrailGraph graph = lone(linger);
  Task<TrailOutcome> first = graph.run(Trail{.total = 1}, RunOptions(), world_, loop_);
  Task<TrailOutcome> second = graph.run(Trail{.total = 10}, RunOptions(), world_, loop_);
  first.start();
  second.start();
  loop_.run();
  EXPECT_EQ(first.result().state.total, 2);
  EXPECT_EQ(second.result().state.total, 11);
}

TEST_F(GraphTest, TheObserverSeesEachAttemptAndEachEdge) {
  TrailBuilder builder;
  builder.add_node("a", walk).add_node("b", stumble, {.attempts_max = 2});
  builder.add_edge(kStart, "a").add_edge("a", "b").add_edge("b", kEnd);
  const TrailGraph graph = built(builder);
  world_.failures_left = 1;
  run(graph);
  EXPECT_EQ(recorder_.lines,
            (std::vector<std::string>{"__start__ -> a", "1 a #1", "1 a update", "a -> b", "2 b #1",
                                      "2 b error: the bridge is out", "2 b #2", "2 b update",
                                      "b -> __end__"}));
}

}  // namespace
}  // namespace plumbline::graph
