// Interrupts, resumption and subgraphs: what waits for a person goes on where it stopped.

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/graph/test_support.h"

namespace plumbline::graph {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using Names = std::vector<std::string>;

class ResumeTest : public GraphFixture {
 protected:
  // before -> review (asks) -> after.
  static TrailGraph reviewed(Node<Trail, World> review = ask, NodePolicy policy = {}) {
    TrailBuilder builder;
    builder.add_node("before", walk).add_node("review", std::move(review), policy);
    builder.add_node("after", walk);
    builder.add_edge(kStart, "before").add_edge("before", "review");
    builder.add_edge("review", "after").add_edge("after", kEnd);
    return built(builder);
  }

  // outer: first -> sub (the graph `inner`) -> last. The trail goes in and comes back whole.
  static TrailGraph around(TrailGraph inner, NodePolicy policy = {}) {
    TrailBuilder builder;
    builder.add_node("first", walk).add_node("last", walk);
    builder.add_subgraph<Trail>(
        "sub", std::move(inner), [](const Trail& trail) { return Trail{.total = trail.total}; },
        [](Trail trail) {
          Trail::Update update;
          update.steps = std::move(trail.steps);
          update.answer = std::move(trail.answer);
          return update;
        },
        policy);
    builder.add_edge(kStart, "first").add_edge("first", "sub");
    builder.add_edge("sub", "last").add_edge("last", kEnd);
    return built(builder);
  }

  static Question asked(const TrailOutcome& outcome) { return outcome.snapshot->open().at(0); }

  TrailOutcome resume(const TrailGraph& graph, Snapshot<Trail> snapshot, Json answer,
                      RunOptions options = {}) {
    return finish(
        graph.resume(std::move(snapshot), std::move(answer), options, world_, loop_, &recorder_));
  }
};

TEST_F(ResumeTest, AnInterruptKeepsTheStateAndSaysWhatItAsks) {
  const TrailGraph graph = reviewed();
  const TrailOutcome outcome = run(graph);
  EXPECT_EQ(outcome.status, TrailOutcome::kInterrupted);
  EXPECT_EQ(outcome.route, (Route{"before", "review"}));
  EXPECT_EQ(outcome.state.steps, Names{"before"});
  ASSERT_TRUE(outcome.snapshot.has_value());
  EXPECT_EQ(asked(outcome).key, "review");
  EXPECT_EQ(asked(outcome).what, (Json{{"question", "review"}}));
  EXPECT_EQ(outcome.snapshot->state.steps, Names{"before"});
  EXPECT_EQ(outcome.snapshot->route, Names{"before"});
  EXPECT_EQ(outcome.snapshot->steps, 1);
  EXPECT_EQ(outcome.snapshot->branches.front().steps, 1);
  EXPECT_EQ(recorder_.lines.back(), R"(review asks {"question":"review"})");
}

TEST_F(ResumeTest, AResumedRunGoesOnInTheNodeThatAskedAndRunsTheRestOnce) {
  const TrailGraph graph = reviewed();
  TrailOutcome waiting = run(graph);
  recorder_.lines.clear();
  const TrailOutcome outcome = resume(graph, std::move(*waiting.snapshot), {{"approved", true}});
  EXPECT_EQ(outcome.status, TrailOutcome::kFinished);
  EXPECT_EQ(outcome.state.answer, R"({"approved":true})");
  EXPECT_EQ(outcome.state.steps, (Names{"before", "review", "after"}));
  EXPECT_EQ(outcome.route, (Route{"before", "review", "after"}));
  EXPECT_EQ(outcome.steps, 3);
  EXPECT_EQ(world_.calls, (Names{"before", "review", "review", "after"}));
  EXPECT_EQ(recorder_.lines, (Names{"2 review #1", "2 review update", "review -> after",
                                    "3 after #1", "3 after update", "after -> __end__"}));
}

TEST_F(ResumeTest, ASnapshotFitsEveryGraphBuiltTheSameWay) {
  Snapshot<Trail> snapshot{};
  {
    const TrailGraph graph = reviewed();
    snapshot = *run(graph).snapshot;
  }
  const TrailGraph again = reviewed();
  EXPECT_EQ(resume(again, snapshot, "yes").status, TrailOutcome::kFinished);
}

Task<TrailResult> ask_twice(TrailContext& context) {
  Json payload = context.answer() == nullptr ? Json("sure?") : Json("really?");
  if (context.answer() != nullptr && *context.answer() == "really") {
    co_return trace_of(context);
  }
  co_return Interrupt{std::move(payload)};
}

TEST_F(ResumeTest, ANodeMayAskAgain) {
  const TrailGraph graph = reviewed(ask_twice, {.visits_max = 1});
  TrailOutcome outcome = run(graph);
  EXPECT_EQ(asked(outcome).what, "sure?");
  outcome = resume(graph, std::move(*outcome.snapshot), "sure");
  ASSERT_EQ(outcome.status, TrailOutcome::kInterrupted);
  EXPECT_EQ(asked(outcome).what, "really?");
  EXPECT_EQ(outcome.steps, 2);
  outcome = resume(graph, std::move(*outcome.snapshot), "really");
  EXPECT_EQ(outcome.status, TrailOutcome::kFinished);
  EXPECT_EQ(outcome.route, (Route{"before", "review", "after"}));
}

TEST_F(ResumeTest, TheAnswerIsForOneNodeOnly) {
  TrailBuilder builder;
  builder.add_node("one", ask).add_node("two", ask);
  builder.add_edge(kStart, "one").add_edge("one", "two").add_edge("two", kEnd);
  const TrailGraph graph = built(builder);
  TrailOutcome outcome = run(graph);
  outcome = resume(graph, std::move(*outcome.snapshot), 1);
  ASSERT_EQ(outcome.status, TrailOutcome::kInterrupted);
  EXPECT_EQ(asked(outcome).key, "two");
  outcome = resume(graph, std::move(*outcome.snapshot), 2);
  EXPECT_EQ(outcome.status, TrailOutcome::kFinished);
  EXPECT_EQ(outcome.state.answer, "2");
  EXPECT_EQ(world_.calls, (Names{"one", "one", "two", "two"}));
}

Task<TrailResult> ask_then_stumble(TrailContext& context) {
  if (context.answer() == nullptr) co_return Interrupt{Json("ready?")};
  Task<TrailResult> rest = stumble(context);
  TrailResult result = co_await rest;
  co_return result;
}

TEST_F(ResumeTest, ARetryAfterTheAnswerSeesTheAnswerAgain) {
  world_.failures_left = 1;
  const TrailGraph graph = reviewed(ask_then_stumble, {.attempts_max = 2});
  TrailOutcome outcome = run(graph);
  outcome = resume(graph, std::move(*outcome.snapshot), true);
  EXPECT_EQ(outcome.status, TrailOutcome::kFinished);
  EXPECT_EQ(world_.calls, (Names{"before", "review", "review", "after"}));
}

TEST_F(ResumeTest, StepsAndVisitsGoOnCountingAfterAResume) {
  TrailBuilder builder;
  builder.add_node("ask", ask, {.visits_max = 2}).add_edge(kStart, "ask");
  builder.add_conditional_edges("ask", [](const Trail&) -> std::string_view { return "ask"; },
                                {"ask", kEnd});
  const TrailGraph graph = built(builder);
  TrailOutcome outcome = run(graph);
  EXPECT_EQ(resume(graph, *outcome.snapshot, 1, {.steps_max = 1}).error.message,
            "node 'ask' is beyond the limit of 1 steps");
  outcome = resume(graph, std::move(*outcome.snapshot), 1);
  ASSERT_EQ(outcome.status, TrailOutcome::kInterrupted);
  outcome = resume(graph, std::move(*outcome.snapshot), 1);
  EXPECT_EQ(outcome.error.message, "node 'ask' is beyond its limit of 2 visits");
}

TEST_F(ResumeTest, ASnapshotThatDoesNotFitIsRefused) {
  const TrailGraph graph = reviewed();
  const Snapshot<Trail> good = *run(graph).snapshot;
  world_.calls.clear();
  const auto refusal = [&](auto change) {
    Snapshot<Trail> snapshot = good;
    change(snapshot);
    const TrailOutcome outcome = resume(graph, snapshot, true);
    EXPECT_EQ(outcome.status, TrailOutcome::kFailed);
    EXPECT_EQ(outcome.error.code, ErrorCode::kInvalidInput);
    return outcome.error.message;
  };
  EXPECT_EQ(refusal([](auto& snapshot) { snapshot.branches.front().node = "gone"; }),
            "snapshot stands at 'gone' which is no node of this graph");
  EXPECT_EQ(refusal([](auto& snapshot) { snapshot.route.front() = "gone"; }),
            "snapshot visited 'gone' which is no node of this graph");
  EXPECT_EQ(refusal([](auto& snapshot) { snapshot.branches.front().key = "other"; }),
            "snapshot visits 'review' under the key 'other'");
  EXPECT_EQ(refusal([](auto& snapshot) { snapshot.branches.front().update.emplace(); }),
            "snapshot waits in 'review' which is done");
  EXPECT_EQ(refusal([](auto& snapshot) { snapshot.branches.push_back(snapshot.branches.front()); }),
            "2 questions are open: an answer to one of several must name its key");
  EXPECT_EQ(refusal([](auto& snapshot) { snapshot.branches.front().nested = Nested(Json()); }),
            "snapshot stands inside of 'review' where it cannot: is no subgraph");
  EXPECT_EQ(refusal([](auto& snapshot) {
              snapshot.joins = {{"review", {"before"}}};
            }),
            "snapshot waits to join at 'review' where this graph does not");
  EXPECT_EQ(refusal([](auto& snapshot) { snapshot.steps = 0; }),
            "snapshot has a route longer than its steps");
  EXPECT_TRUE(world_.calls.empty());
}

TEST_F(ResumeTest, ASubgraphRunsAsOneNodeAndSharesTheSteps) {
  TrailBuilder inner;
  inner.add_node("x", walk).add_node("y", walk);
  inner.add_edge(kStart, "x").add_edge("x", "y").add_edge("y", kEnd);
  const TrailGraph graph = around(built(inner));
  const TrailOutcome outcome = run(graph);
  EXPECT_EQ(outcome.status, TrailOutcome::kFinished);
  EXPECT_EQ(outcome.route, (Route{"first", "sub", "last"}));
  EXPECT_EQ(outcome.state.steps, (Names{"first", "x", "y", "last"}));
  EXPECT_EQ(outcome.steps, 5);
  EXPECT_EQ(recorder_.lines,
            (Names{"__start__ -> first", "1 first #1", "1 first update", "first -> sub", "2 sub #1",
                   "sub/__start__ -> sub/x", "3 sub/x #1", "3 sub/x update", "sub/x -> sub/y",
                   "4 sub/y #1", "4 sub/y update", "sub/y -> sub/__end__", "4 sub update",
                   "sub -> last", "5 last #1", "5 last update", "last -> __end__"}));
  EXPECT_EQ(run(graph, {.steps_max = 3}).error.message,
            "node 'sub' failed: node 'y' is beyond the limit of 3 steps");
}

TEST_F(ResumeTest, AnInterruptTwoGraphsDeepResumesInTheInnermostNode) {
  const TrailGraph graph = around(around(reviewed()));
  TrailOutcome outcome = run(graph);
  ASSERT_EQ(outcome.status, TrailOutcome::kInterrupted);
  EXPECT_EQ(asked(outcome).key, "sub/sub/review");
  EXPECT_EQ(asked(outcome).what, (Json{{"question", "review"}}));
  EXPECT_EQ(outcome.steps, 6);
  EXPECT_EQ(world_.calls, (Names{"first", "first", "before", "review"}));
  const Snapshot<Trail> kept = *outcome.snapshot;

  world_.calls.clear();
  recorder_.lines.clear();
  outcome = resume(graph, kept, "go");
  EXPECT_EQ(outcome.status, TrailOutcome::kFinished);
  EXPECT_EQ(world_.calls, (Names{"review", "after", "last", "last"}));
  EXPECT_EQ(outcome.state.steps,
            (Names{"first", "first", "before", "review", "after", "last", "last"}));
  EXPECT_EQ(outcome.state.answer, "\"go\"");
  EXPECT_EQ(outcome.route, (Route{"first", "sub", "last"}));
  EXPECT_EQ(outcome.steps, 9);
  EXPECT_EQ(recorder_.lines[2], "6 sub/sub/review #1");
}

TEST_F(ResumeTest, ASubgraphEnteredAgainAfterAnAnswerBeginsAtItsStart) {
  TrailBuilder outer;
  outer.add_subgraph<Trail>(
      "sub", reviewed(), [](const Trail&) { return Trail(); },
      [](const Trail&) { return Trail::Update{.add = 1}; });
  outer.add_edge(kStart, "sub");
  outer.add_conditional_edges(
      "sub", [](const Trail& trail) { return trail.total < 2 ? std::string_view("sub") : kEnd; },
      {"sub", kEnd});
  const TrailGraph graph = built(outer);
  TrailOutcome outcome = run(graph);
  outcome = resume(graph, std::move(*outcome.snapshot), 1);
  ASSERT_EQ(outcome.status, TrailOutcome::kInterrupted);
  EXPECT_EQ(world_.calls, (Names{"before", "review", "review", "after", "before", "review"}));
  outcome = resume(graph, std::move(*outcome.snapshot), 2);
  EXPECT_EQ(outcome.status, TrailOutcome::kFinished);
}

TEST_F(ResumeTest, ASnapshotKeepsNothingOfASubgraphThatIsDone) {
  TrailBuilder outer;
  outer.add_subgraph<Trail>(
      "sub", reviewed(), [](const Trail&) { return Trail(); },
      [](const Trail&) { return Trail::Update(); });
  outer.add_node("ask", ask).add_edge(kStart, "sub").add_edge("sub", "ask").add_edge("ask", kEnd);
  const TrailGraph graph = built(outer);
  TrailOutcome outcome = run(graph);
  EXPECT_TRUE(outcome.snapshot->branches.front().nested.has_value());
  outcome = resume(graph, std::move(*outcome.snapshot), 1);
  ASSERT_EQ(outcome.status, TrailOutcome::kInterrupted);
  EXPECT_EQ(asked(outcome).key, "ask");
  EXPECT_FALSE(outcome.snapshot->branches.front().nested.has_value());
}

TEST_F(ResumeTest, ASnapshotWithoutItsInsideIsRefused) {
  const TrailGraph graph = around(reviewed());
  Snapshot<Trail> snapshot = *run(graph).snapshot;
  snapshot.branches.front().nested.reset();
  EXPECT_EQ(resume(graph, snapshot, true).error.message,
            "snapshot waits inside of 'sub' and lacks its inside");
}

TEST_F(ResumeTest, ARetriedSubgraphIsEnteredAnew) {
  TrailBuilder inner;
  inner.add_node("x", walk).add_node("y", stumble);
  inner.add_edge(kStart, "x").add_edge("x", "y").add_edge("y", kEnd);
  const TrailGraph graph = around(built(inner), {.attempts_max = 2});
  world_.failures_left = 1;
  const TrailOutcome outcome = run(graph);
  EXPECT_EQ(outcome.state.steps, (Names{"first", "x", "y", "last"}));
  EXPECT_EQ(world_.calls, (Names{"first", "x", "y", "x", "y", "last"}));
  EXPECT_EQ(outcome.steps, 7);
}

TEST_F(ResumeTest, ATimeoutAroundASubgraphDropsWhatRunsInside) {
  TrailBuilder inner;
  inner.add_node("slow", linger, {.timeout = hours(9)});
  inner.add_edge(kStart, "slow").add_edge("slow", kEnd);
  const TrailGraph graph = around(built(inner), {.timeout = minutes(5)});
  const TrailOutcome outcome = run(graph);
  EXPECT_EQ(outcome.error.message, "node 'sub' failed: it took too long");
  EXPECT_EQ(world_.unwound, 1);
  EXPECT_EQ(loop_.now(), Instant(minutes(5)));
}

TEST_F(ResumeTest, ATimeoutInsideASubgraphNamesTheInnerNode) {
  TrailBuilder inner;
  inner.add_node("slow", linger, {.timeout = minutes(4)});
  inner.add_edge(kStart, "slow").add_edge("slow", kEnd);
  const TrailGraph graph = around(built(inner), {.timeout = minutes(5)});
  EXPECT_EQ(run(graph).error.message, "node 'sub' failed: node 'slow' failed: it took too long");
  EXPECT_EQ(loop_.now(), Instant(minutes(4)));
}

}  // namespace
}  // namespace plumbline::graph
