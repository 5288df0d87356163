#include "core/graph/builder.h"

#include <chrono>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "core/graph/test_support.h"

namespace plumbline::graph {
namespace {

std::string_view to_end(const Trail& /*trail*/) { return kEnd; }

struct Refusal {
  const char* message;
  std::function<void(TrailBuilder&)> describe;
};

// Each row is the sound graph start -> a -> end with one thing wrong.
const Refusal kRefusals[] = {
    {"edge from 'a' to 'b' leads nowhere: there is no such node",
     [](TrailBuilder& graph) {
       graph.add_conditional_edges("a", to_end, {{"on", "b"}, {"done", kEnd}});
     }},
    {"edge from 'b' comes from nowhere: there is no such node",
     [](TrailBuilder& graph) { graph.add_edge("a", kEnd).add_edge("b", "a"); }},
    {"edge from '__end__' cannot be: it is the end",
     [](TrailBuilder& graph) { graph.add_edge("a", kEnd).add_edge(kEnd, "a"); }},
    {"edge from 'a' to '__start__' cannot be: it is the start",
     [](TrailBuilder& graph) { graph.add_edge("a", kStart); }},
    {"node 'a' is added twice",
     [](TrailBuilder& graph) { graph.add_edge("a", kEnd).add_node("a", walk); }},
    {"node 'b' has no way on",
     [](TrailBuilder& graph) { graph.add_edge("a", "b").add_node("b", walk); }},
    {"edge from 'a' to 'a' is added twice",
     [](TrailBuilder& graph) { graph.add_edge("a", "a").add_edge("a", kEnd).add_edge("a", "a"); }},
    {"edge from 'a' to '__end__' is added twice",
     [](TrailBuilder& graph) { graph.add_edge("a", kEnd).add_edge("a", kEnd); }},
    {"edge from '__start__' to 'a' is added twice",
     [](TrailBuilder& graph) { graph.add_edge("a", kEnd).add_edge(kStart, "a"); }},
    {"node 'a' has two routers",
     [](TrailBuilder& graph) {
       graph.add_conditional_edges("a", to_end, {kEnd}).add_conditional_edges("a", to_end, {kEnd});
     }},
    {"join at 'b' is at no node of this graph",
     [](TrailBuilder& graph) {
       graph.add_edge("a", kEnd).add_join({"a", "a"}, "b");
     }},
    {"join at 'a' waits for less than two",
     [](TrailBuilder& graph) { graph.add_edge("a", kEnd).add_join({"a"}, "a"); }},
    {"join waits for 'a' twice",
     [](TrailBuilder& graph) {
       graph.add_edge("a", kEnd).add_join({"a", "a"}, "a");
     }},
    {"join waits for '__start__' which is no node of this graph",
     [](TrailBuilder& graph) {
       graph.add_edge("a", kEnd).add_join({"a", std::string(kStart)}, "a");
     }},
    {"node 'a' has two joins",
     [](TrailBuilder& graph) {
       graph.add_edge("a", "b").add_node("b", walk).add_join({"a", "b"}, "a");
       graph.add_join({"b", "a"}, "a");
     }},
    {"node 'b' is never reached",
     [](TrailBuilder& graph) { graph.add_edge("a", kEnd).add_node("b", walk).add_edge("b", "a"); }},
    {"node 'a' has no path to the end",
     [](TrailBuilder& graph) { graph.add_edge("a", "b").add_node("b", walk).add_edge("b", "a"); }},
    {"node 'b' has no path to the end",
     [](TrailBuilder& graph) {
       graph.add_conditional_edges("a", to_end, {"b", kEnd});
       graph.add_node("b", walk).add_edge("b", "b");
     }},
    {"node '__end__' has a reserved name",
     [](TrailBuilder& graph) { graph.add_edge("a", kEnd).add_node(kEnd, walk); }},
    {"node '__start__' has a reserved name",
     [](TrailBuilder& graph) { graph.add_edge("a", kEnd).add_node(kStart, walk); }},
    {"node 'b/c' has a name with '/' in it",
     [](TrailBuilder& graph) { graph.add_edge("a", "b/c").add_node("b/c", walk); }},
    {"node 'b:2' has a name with ':' in it",
     [](TrailBuilder& graph) { graph.add_edge("a", "b:2").add_node("b:2", walk); }},
    {"a node has no name", [](TrailBuilder& graph) { graph.add_edge("a", "").add_node("", walk); }},
    {"node 'b' has no function",
     [](TrailBuilder& graph) { graph.add_edge("a", "b").add_node("b", nullptr); }},
    {"conditional edges from 'a' lack a router",
     [](TrailBuilder& graph) { graph.add_conditional_edges("a", Router<Trail>(), {kEnd}); }},
    {"conditional edges from 'a' declare no target",
     [](TrailBuilder& graph) { graph.add_conditional_edges("a", to_end, {}); }},
};

TEST(GraphBuilderTest, EachFlawIsRefusedWithItsMessage) {
  for (const Refusal& refusal : kRefusals) {
    TrailBuilder builder;
    builder.add_node("a", walk).add_edge(kStart, "a");
    refusal.describe(builder);
    const Result<TrailGraph> graph = builder.build();
    ASSERT_FALSE(graph.ok()) << refusal.message;
    EXPECT_EQ(graph.error().message, refusal.message);
    EXPECT_EQ(graph.error().code, ErrorCode::kInvalidInput);
  }
}

TEST(GraphBuilderTest, AGraphWithoutAStartIsRefused) {
  TrailBuilder builder;
  EXPECT_EQ(builder.build().error().message, "node '__start__' has no way on");
}

TEST(GraphBuilderTest, ASubgraphWithoutAWayInIsRefused) {
  TrailBuilder inner;
  inner.add_node("a", walk).add_edge(kStart, "a").add_edge("a", kEnd);
  TrailBuilder outer;
  outer.add_subgraph<Trail>("sub", std::move(inner.build()).value(),
                            std::function<Trail(const Trail&)>(), nullptr);
  outer.add_edge(kStart, "sub").add_edge("sub", kEnd);
  EXPECT_EQ(outer.build().error().message, "subgraph 'sub' lacks a way in or out");
}

TEST(GraphBuilderTest, APolicyOutOfRangeIsRefused) {
  using std::chrono::hours;
  using std::chrono::seconds;
  const std::pair<NodePolicy, const char*> rows[] = {
      {{.attempts_max = 0}, "node 'a' has attempts_max below 1"},
      {{.visits_max = 0}, "node 'a' has visits_max below 1"},
      {{.timeout = seconds(-1)}, "node 'a' has a negative timeout"},
      {{.backoff_initial = seconds(-1)}, "node 'a' has a negative backoff_initial"},
      {{.backoff_initial = seconds(2), .backoff_max = seconds(1)},
       "node 'a' has backoff_max below backoff_initial"},
      {{.backoff_max = hours(25)}, "node 'a' has backoff_max above a day"},
      {{.backoff_growth_percent = 99}, "node 'a' has backoff_growth_percent outside 100 to 10000"},
      {{.backoff_growth_percent = 10'001},
       "node 'a' has backoff_growth_percent outside 100 to 10000"},
      {{.retry_on = nullptr}, "node 'a' has no retry_on"},
  };
  for (const auto& [policy, message] : rows) {
    TrailBuilder builder;
    builder.add_node("a", walk, policy).add_edge(kStart, "a").add_edge("a", kEnd);
    EXPECT_EQ(builder.build().error().message, message);
  }
}

TEST(GraphBuilderTest, TheOrderOfTheCallsDoesNotMatter) {
  TrailBuilder builder;
  builder.add_edge("b", kEnd).add_edge("a", "b").add_edge(kStart, "a");
  builder.add_node("b", walk).add_node("a", walk);
  EXPECT_TRUE(builder.build().ok());
}

TEST(GraphBuilderTest, BuildLeavesTheBuilderEmpty) {
  TrailBuilder builder;
  builder.add_node("a", walk).add_edge(kStart, "a").add_edge("a", kEnd);
  ASSERT_TRUE(builder.build().ok());
  builder.add_node("a", walk).add_edge(kStart, "a").add_edge("a", kEnd);
  EXPECT_TRUE(builder.build().ok());
}

}  // namespace
}  // namespace plumbline::graph
