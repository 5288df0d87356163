// Branches side by side: edges, routers and Sends that lead to several nodes, joins, and what
// becomes of sisters.

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/graph/test_support.h"

namespace plumbline::graph {
namespace {

using std::chrono::seconds;
using Names = std::vector<std::string>;

class ParallelTest : public GraphFixture {
 protected:
  using GraphFixture::run;

  // A route is borrowed from its graph.
  TrailOutcome run(TrailGraph&& graph, RunOptions options = {}) {
    graphs_.push_back(std::make_unique<TrailGraph>(std::move(graph)));
    return run(*graphs_.back(), options);
  }

  // start -> a; a -> b, c, d; all of them -> z.
  static TrailGraph fan(NodePolicy policy = {}) {
    TrailBuilder builder;
    builder.add_node("a", take).add_node("z", take).add_edge(kStart, "a").add_edge("z", kEnd);
    for (const char* const name : {"b", "c", "d"}) {
      builder.add_node(name, take, policy).add_edge("a", name).add_edge(name, "z");
    }
    return built(builder);
  }

  static std::vector<Send> spread(const Trail& trail) {
    std::vector<Send> out;
    for (std::int64_t i = 0; i < trail.total; ++i) out.emplace_back("work", Json(i));
    return out;
  }

  // a Send for each of Trail::total, then z.
  static TrailGraph map_reduce() {
    TrailBuilder builder;
    builder.add_node("work", take).add_node("z", take);
    builder.add_conditional_edges(kStart, FanOut<Trail>(spread), {"work"});
    builder.add_edge("work", "z").add_edge("z", kEnd);
    return built(builder);
  }

 private:
  std::vector<std::unique_ptr<TrailGraph>> graphs_;
};

TEST_F(ParallelTest, SistersRunSideBySideAndTheNextStepWaitsForAll) {
  world_.takes = {{"b", seconds(3)}, {"c", seconds(1)}, {"d", seconds(2)}};
  const TrailOutcome outcome = run(fan());
  EXPECT_EQ(outcome.status, TrailOutcome::kFinished);
  EXPECT_EQ(outcome.route, (Route{"a", "b", "c", "d", "z"}));
  EXPECT_EQ(outcome.steps, 5);
  EXPECT_EQ(world_.calls, (Names{"a", "b", "c", "d", "z"}));
  EXPECT_EQ(world_.at[3], Instant());
  EXPECT_EQ(world_.at[4], Instant(seconds(3)));
}

TEST_F(ParallelTest, UpdatesAreAppliedInTheOrderOfTheBranches) {
  world_.takes = {{"b", seconds(3)}, {"c", seconds(1)}, {"d", seconds(2)}};
  EXPECT_EQ(run(fan()).state.steps, (Names{"a", "b", "c", "d", "z"}));
  world_.takes = {{"d", seconds(1)}};
  EXPECT_EQ(run(fan()).state.steps, (Names{"a", "b", "c", "d", "z"}));
}

TEST_F(ParallelTest, ASisterDoesNotSeeWhatAnotherHasDone) {
  const auto looks = [](TrailContext& context) -> Task<TrailResult> {
    Trail::Update update;
    update.facts[std::string(context.node())] = std::to_string(context.state().total);
    update.add = 1;
    co_return update;
  };
  TrailBuilder builder;
  builder.add_node("a", looks).add_node("b", looks).add_node("z", looks);
  builder.add_edge(kStart, "a").add_edge(kStart, "b").add_edge("a", "z").add_edge("b", "z");
  builder.add_edge("z", kEnd);
  const TrailOutcome outcome = run(built(builder));
  EXPECT_EQ(outcome.state.facts.at("a"), "0");
  EXPECT_EQ(outcome.state.facts.at("b"), "0");
  EXPECT_EQ(outcome.state.facts.at("z"), "2");
}

TEST_F(ParallelTest, TheObserverHearsTheStepsOfAllBranches) {
  world_.takes = {{"b", seconds(3)}, {"c", seconds(1)}};
  TrailBuilder builder;
  builder.add_node("b", take).add_node("c", take).add_edge(kStart, "b").add_edge(kStart, "c");
  builder.add_edge("b", kEnd).add_edge("c", kEnd);
  run(built(builder));
  EXPECT_EQ(recorder_.lines, (Names{"__start__ -> b", "__start__ -> c", "1 b #1", "2 c #1",
                                    "2 c update", "1 b update", "b -> __end__", "c -> __end__"}));
}

TEST_F(ParallelTest, BranchesOfDifferentLengthMeetTwiceUnlessTheyJoin) {
  const auto uneven = [](bool joins) {
    TrailBuilder builder;
    builder.add_node("short", take).add_node("long", take).add_node("longer", take);
    builder.add_node("z", take).add_edge(kStart, "short").add_edge(kStart, "long");
    builder.add_edge("long", "longer").add_edge("z", kEnd);
    if (joins) {
      builder.add_join({"short", "longer"}, "z");
    } else {
      builder.add_edge("short", "z").add_edge("longer", "z");
    }
    return built(builder);
  };
  EXPECT_EQ(run(uneven(false)).route, (Route{"short", "long", "z", "longer", "z"}));
  EXPECT_EQ(run(uneven(true)).route, (Route{"short", "long", "longer", "z"}));
}

TEST_F(ParallelTest, AJoinWaitsAnewInEachRound) {
  TrailBuilder builder;
  builder.add_node("a", take).add_node("b", take).add_node("z", take);
  builder.add_edge(kStart, "a").add_edge(kStart, "b").add_join({"a", "b"}, "z");
  builder.add_conditional_edges(
      "z",
      [](const Trail& trail) {
        return trail.total < 6 ? std::vector<Send>{"a", "b"} : std::vector<Send>();
      },
      {"a", "b", kEnd});
  EXPECT_EQ(run(built(builder)).route, (Route{"a", "b", "z", "a", "b", "z"}));
}

TEST_F(ParallelTest, AJoinThatNotAllComeToIsNotPassed) {
  TrailBuilder builder;
  builder.add_node("a", take).add_node("b", take).add_node("z", take);
  builder.add_conditional_edges(
      kStart, FanOut<Trail>([](const Trail&) { return std::vector<Send>{"a"}; }), {"a", "b"});
  builder.add_join({"a", "b"}, "z").add_edge("z", kEnd);
  const TrailOutcome outcome = run(built(builder));
  EXPECT_EQ(outcome.status, TrailOutcome::kFinished);
  EXPECT_EQ(outcome.route, Route{"a"});
}

TEST_F(ParallelTest, ARouterMayLeadToSeveralNodesAndEdgesBesideIt) {
  TrailBuilder builder;
  builder.add_node("a", take).add_node("b", take).add_node("c", take).add_node("d", take);
  builder.add_edge(kStart, "a").add_edge("a", "d");
  builder.add_conditional_edges("a", FanOut<Trail>([](const Trail&) {
                                  return std::vector<Send>{"c", "b", "c"};
                                }),
                                {"b", "c"});
  for (const char* const name : {"b", "c", "d"}) builder.add_edge(name, kEnd);
  EXPECT_EQ(run(built(builder)).route, (Route{"a", "d", "c", "b"}));
}

TEST_F(ParallelTest, ARouterThatLeadsSomewhereElseFailsTheRun) {
  TrailBuilder builder;
  builder.add_node("a", take).add_edge(kStart, "a");
  builder.add_conditional_edges("a", FanOut<Trail>([](const Trail&) {
                                  return std::vector<Send>{"a", "b"};
                                }),
                                {"a", kEnd});
  EXPECT_EQ(run(built(builder)).error.message,
            "router of 'a' returned 'b', not one of its targets");
}

TEST_F(ParallelTest, EachSendIsAVisitWithItsOwnInput) {
  world_.takes = {{"work", seconds(2)}, {"work:2", seconds(1)}};
  const TrailGraph graph = map_reduce();
  const TrailOutcome outcome = finish(graph.run(Trail{.total = 3}, {}, world_, loop_, &recorder_));
  EXPECT_EQ(outcome.route, (Route{"work", "work", "work", "z"}));
  EXPECT_EQ(outcome.state.steps, (Names{"work", "work:2", "work:3", "z"}));
  EXPECT_EQ(outcome.state.facts,
            (std::map<std::string, std::string>{{"work", "0"}, {"work:2", "1"}, {"work:3", "2"}}));
}

TEST_F(ParallelTest, NoSendAtAllEndsTheBranch) {
  const TrailGraph graph = map_reduce();
  const TrailOutcome outcome = finish(graph.run(Trail(), {}, world_, loop_, &recorder_));
  EXPECT_EQ(outcome.status, TrailOutcome::kFinished);
  EXPECT_TRUE(outcome.route.empty());
}

TEST_F(ParallelTest, TheBoundsCountEveryBranch) {
  const TrailGraph graph = map_reduce();
  const auto bounded = [&](RunOptions options) {
    return finish(graph.run(Trail{.total = 9}, options, world_, loop_, &recorder_)).error.message;
  };
  EXPECT_EQ(bounded({.steps_max = 8}), "node 'work' is beyond the limit of 8 steps");
  EXPECT_EQ(bounded({.steps_max = 9}), "node 'z' is beyond the limit of 9 steps");
  EXPECT_EQ(bounded({.steps_max = 10}), "");
  EXPECT_EQ(world_.calls.size(), 9U + 10U);
  EXPECT_EQ(run(fan({.visits_max = 1})).status, TrailOutcome::kFinished);
}

TEST_F(ParallelTest, TheDeadlineOfTheRunEndsAllBranches) {
  world_.takes = {{"b", seconds(9)}, {"c", seconds(1)}, {"d", seconds(8)}};
  const TrailOutcome outcome = run(fan(), {.deadline = Instant(seconds(5))});
  EXPECT_EQ(outcome.error.code, ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(loop_.now(), Instant(seconds(5)));
  EXPECT_EQ(world_.unwound, 4);
}

TEST_F(ParallelTest, AFailureDropsTheSistersUnderWay) {
  world_.takes = {{"b", seconds(9)}, {"c", seconds(1)}, {"d", seconds(2)}};
  world_.fails = {{"c", ErrorCode::kUnsupported}};
  const TrailOutcome outcome = run(fan());
  EXPECT_EQ(outcome.error.message, "node 'c' failed: the bridge is out");
  EXPECT_EQ(outcome.error.code, ErrorCode::kUnsupported);
  EXPECT_EQ(outcome.state.steps, Names{"a"});
  EXPECT_EQ(loop_.now(), Instant(seconds(1)));
  EXPECT_EQ(world_.unwound, 4);
}

TEST_F(ParallelTest, AFailureLetsTheSistersFinishWhereAsked) {
  world_.takes = {{"b", seconds(9)}, {"c", seconds(1)}};
  world_.fails = {{"b", ErrorCode::kUnsupported}, {"c", ErrorCode::kDisconnected}};
  const TrailOutcome outcome = run(fan(), {.sisters = RunOptions::Sisters::kFinish});
  EXPECT_EQ(outcome.error.message, "node 'b' failed: the bridge is out");  // The first in order.
  EXPECT_EQ(loop_.now(), Instant(seconds(9)));
}

TEST_F(ParallelTest, ASisterThatIsTriedAgainDoesNotHoldUpTheOthers) {
  world_.takes = {{"c", seconds(1)}};
  world_.fails = {{"b", ErrorCode::kDisconnected}};
  const TrailOutcome outcome = run(fan({.attempts_max = 3, .backoff_initial = seconds(5)}),
                                   {.sisters = RunOptions::Sisters::kFinish});
  EXPECT_EQ(world_.calls, (Names{"a", "b", "c", "d", "b", "b"}));
  EXPECT_EQ(outcome.error.message, "node 'b' failed: the bridge is out");
  EXPECT_EQ(world_.at.back(), Instant(seconds(15)));
}

TEST_F(ParallelTest, DroppingARunDropsAllOfItsBranches) {
  world_.takes = {{"b", seconds(9)}, {"c", seconds(1)}, {"d", seconds(2)}};
  const TrailGraph graph = fan();
  {
    Task<TrailOutcome> dying = graph.run({}, {}, world_, loop_, &recorder_);
    dying.start();
    loop_.run_until(Instant(seconds(1)));
  }
  EXPECT_EQ(world_.unwound, 4);
  EXPECT_TRUE(loop_.idle());
}

TEST_F(ParallelTest, ThousandsOfBranchesAreOneStep) {
  const TrailGraph graph = map_reduce();
  const TrailOutcome outcome = finish(graph.run(Trail{.total = 5'000}, {}, world_, loop_, nullptr));
  EXPECT_EQ(outcome.status, TrailOutcome::kFinished);
  EXPECT_EQ(outcome.state.total, 10'001);
  EXPECT_EQ(outcome.state.steps[4'999], "work:5000");
}

TEST_F(ParallelTest, SubgraphsSideBySideShareTheBudget) {
  TrailBuilder inner;
  inner.add_node("x", walk).add_node("y", walk);
  inner.add_edge(kStart, "x").add_edge("x", "y").add_edge("y", kEnd);
  TrailBuilder outer;
  outer.add_subgraph<Trail>(
      "sub", built(inner),
      [](const Trail&, const Json* input) { return Trail{.answer = dump_json(*input)}; },
      [](Trail trail) {
        Trail::Update update;
        update.steps = {trail.answer};
        return update;
      });
  outer.add_conditional_edges(kStart, FanOut<Trail>([](const Trail&) {
                                return std::vector<Send>{{"sub", "l"}, {"sub", "r"}};
                              }),
                              {"sub"});
  outer.add_edge("sub", kEnd);
  const TrailGraph graph = built(outer);
  const TrailOutcome outcome = run(graph);
  EXPECT_EQ(outcome.state.steps, (Names{R"("l")", R"("r")"}));
  EXPECT_EQ(outcome.steps, 6);
  EXPECT_EQ(run(graph, {.steps_max = 5}).error.message,
            "node 'sub' failed: node 'y' is beyond the limit of 5 steps");
}

}  // namespace
}  // namespace plumbline::graph
