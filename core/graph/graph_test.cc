#include "core/graph/builder.h"

#include <gtest/gtest.h>

namespace plumbline::graph {
namespace {

struct Services {};

struct Count {
  struct Update {
    int add = 0;
  };
  int total = 0;
  void apply(Update&& update) { total += update.add; }
};

struct Pair {
  struct Update {
    int left = 0;
  };
  int left = 0;
  void apply(Update&& update) { left = update.left; }
};

Task<NodeResult<Count>> add_one(Context<Count, Services>&) { co_return Count::Update{1}; }

TEST(X, Y) {
  GraphBuilder<Count, Services> builder;
  builder.add_node("a", add_one)
      .add_edge(kStart, "a")
      .add_conditional_edges(
          "a", [](const Count& c) -> std::string_view { return c.total < 3 ? "a" : kEnd; },
          {{"more", "a"}, {"done", kEnd}});
  auto inner = builder.build();
  ASSERT_TRUE(inner.ok()) << inner.error().message;
  GraphBuilder<Pair, Services> outer;
  outer.add_subgraph<Count>(
      "s", std::move(inner).value(), [](const Pair& p) { return Count{p.left}; },
      [](Count c) { return Pair::Update{c.total}; });
  outer.add_edge(kStart, "s").add_edge("s", kEnd);
  auto graph = outer.build();
  ASSERT_TRUE(graph.ok()) << graph.error().message;
  std::puts(draw_mermaid(graph.value().drawing()).c_str());
}

}  // namespace
}  // namespace plumbline::graph
