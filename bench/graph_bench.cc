// How fast the graph engine alone is: eleven nodes, each of which adds one to a counter, and one
// conditional edge that goes round or ends. bench/peers/langgraph/bench.mjs is the same graph.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <benchmark/benchmark.h>

#include "core/base/check.h"
#include "core/base/timer_queue.h"
#include "core/graph/builder.h"
#include "core/graph/memory_saver.h"

namespace plumbline::graph {
namespace {

constexpr int kNodes = 11;

struct NoServices {};

struct Counter {
  struct Update {
    std::int64_t add = 0;
  };
  std::int64_t count = 0;
  std::int64_t count_max = 0;
  void apply(Update&& update) { count += update.add; }
};

// The nodes never wait: nothing is ever due.
class StillLoop final : public Loop {
 public:
  Instant now() const override { return Instant(); }
  void arm(Timer& timer, Instant when) override { queue_.arm(timer, when, 0); }

 private:
  TimerQueue queue_;
};

Task<NodeResult<Counter>> add_one(Context<Counter, NoServices>& /*context*/) {
  co_return Counter::Update{1};
}

std::string_view round_or_end(const Counter& counter) {
  return counter.count < counter.count_max ? std::string_view("n0") : kEnd;
}

Graph<Counter, NoServices> eleven_nodes(NodePolicy policy) {
  GraphBuilder<Counter, NoServices> builder;
  for (int node = 0; node < kNodes; ++node) {
    builder.add_node("n" + std::to_string(node), add_one, policy);
    if (node > 0) builder.add_edge("n" + std::to_string(node - 1), "n" + std::to_string(node));
  }
  builder.add_edge(kStart, "n0");
  builder.add_conditional_edges("n10", round_or_end, {{"round", "n0"}, {"done", kEnd}});
  Result<Graph<Counter, NoServices>> graph = builder.build();
  check(graph.ok(), "the eleven-node graph is refused");
  return std::move(graph).value();
}

// run_rounds times runs of state.range(0) rounds of `graph`. An item is one node step.
void run_rounds(benchmark::State& state, const Graph<Counter, NoServices>& graph,
                RunOptions options) {
  NoServices services;
  StillLoop loop;
  const std::int64_t steps = state.range(0) * kNodes;
  for (auto _ : state) {
    Task<Outcome<Counter>> task =
        graph.run(Counter{.count_max = steps}, options, services, loop, nullptr);
    task.start();
    check(task.done() && task.result().steps == steps, "a run did not end after its steps");
    benchmark::DoNotOptimize(task.result().state.count);
  }
  state.SetItemsProcessed(state.iterations() * steps);
}

void BM_ElevenNodes(benchmark::State& state) { run_rounds(state, eleven_nodes({}), {}); }
BENCHMARK(BM_ElevenNodes)->Arg(1)->Arg(164)->Arg(900);

// The same with a deadline on the run and a timeout on each node, as graphs in service have them.
void BM_ElevenNodesWithDeadlines(benchmark::State& state) {
  const NodePolicy policy = {.timeout = std::chrono::seconds(30)};
  run_rounds(state, eleven_nodes(policy), {.deadline = Instant(std::chrono::hours(1))});
}
BENCHMARK(BM_ElevenNodesWithDeadlines)->Arg(164);

// The same with a checkpoint in memory after each step, every one of which is kept until the run
// has ended. An item is a whole run of eleven nodes.
void BM_ElevenNodesKept(benchmark::State& state) {
  const Graph<Counter, NoServices> graph = eleven_nodes({});
  NoServices services;
  StillLoop loop;
  for (auto _ : state) {
    MemorySaver<Counter> saver;
    Thread<Counter> thread(saver, "run", loop);
    Task<Outcome<Counter>> task =
        graph.run(Counter{.count_max = kNodes}, {}, services, loop, nullptr, &thread);
    task.start();
    check(task.done() && task.result().steps == kNodes, "a run did not end after its steps");
    benchmark::DoNotOptimize(task.result().state.count);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_ElevenNodesKept);

// One node, nine side by side, one: what branches cost. An item is a whole run of eleven nodes.
// With `kept`, each branch and each step is kept in memory.
void run_side_by_side(benchmark::State& state, bool kept) {
  GraphBuilder<Counter, NoServices> builder;
  builder.add_node("first", add_one).add_node("last", add_one);
  builder.add_edge(kStart, "first").add_edge("last", kEnd);
  for (int node = 2; node < kNodes; ++node) {
    const std::string name = "n" + std::to_string(node);
    builder.add_node(name, add_one).add_edge("first", name).add_edge(name, "last");
  }
  const Graph<Counter, NoServices> graph = std::move(builder.build()).value();
  NoServices services;
  StillLoop loop;
  for (auto _ : state) {
    MemorySaver<Counter> saver;
    Thread<Counter> thread(saver, "run", loop);
    Task<Outcome<Counter>> task =
        graph.run(Counter(), {}, services, loop, nullptr, kept ? &thread : nullptr);
    task.start();
    check(task.done() && task.result().state.count == kNodes, "a run did not end after its steps");
    benchmark::DoNotOptimize(task.result().state.count);
  }
  state.SetItemsProcessed(state.iterations());
}

void BM_SideBySide(benchmark::State& state) { run_side_by_side(state, false); }
BENCHMARK(BM_SideBySide);
void BM_SideBySideKept(benchmark::State& state) { run_side_by_side(state, true); }
BENCHMARK(BM_SideBySideKept);

}  // namespace
}  // namespace plumbline::graph
