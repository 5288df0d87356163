// For any graph and any routers: the route is a path of the graph, and nothing runs beyond a bound.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/base/rng.h"
#include "core/graph/test_support.h"

namespace plumbline::graph {
namespace {

// Shape is a random graph: node i leads to the targets in row i, the last row is the start's.
// Target n stands for the end.
struct Shape {
  std::size_t nodes = 0;
  std::vector<std::vector<std::size_t>> targets;
};

std::string label(const Shape& shape, std::size_t node) {
  return node == shape.nodes ? std::string(kEnd) : "n" + std::to_string(node);
}

Shape random_shape(Rng& rng) {
  Shape shape;
  shape.nodes = rng.between(1, 8);
  for (std::size_t row = 0; row <= shape.nodes; ++row) {
    // The start leads to node 0, each node to the next, the last to the end: no graph is refused.
    std::set<std::size_t> targets = {row == shape.nodes ? 0 : row + 1};
    const std::int64_t more = rng.between(0, 2);
    for (std::int64_t way = 0; way < more; ++way) targets.insert(rng.below(shape.nodes + 1));
    shape.targets.emplace_back(targets.begin(), targets.end());
  }
  return shape;
}

// The routers draw from the state, so a run is a pure function of its initial state.
Result<TrailGraph> build(const Shape& shape, std::int64_t visits_max) {
  TrailBuilder builder;
  for (std::size_t node = 0; node < shape.nodes; ++node) {
    builder.add_node(label(shape, node), walk, {.visits_max = visits_max});
  }
  for (std::size_t row = 0; row <= shape.nodes; ++row) {
    const std::string from = row == shape.nodes ? std::string(kStart) : label(shape, row);
    std::vector<std::string> names;
    for (const std::size_t to : shape.targets[row]) names.push_back(label(shape, to));
    if (names.size() == 1) {
      builder.add_edge(from, names.front());
      continue;
    }
    const std::vector<Target> targets(names.begin(), names.end());
    builder.add_conditional_edges(
        from,
        [names](const Trail& trail) -> std::string_view {
          return names[Rng(static_cast<std::uint64_t>(trail.total)).below(names.size())];
        },
        targets);
  }
  return builder.build();
}

bool leads(const Shape& shape, std::size_t row, std::string_view to) {
  for (const std::size_t target : shape.targets[row]) {
    if (label(shape, target) == to) return true;
  }
  return false;
}

// is_path returns whether `route` follows the edges of `shape` from the start, and, when it is
// `whole`, on to the end.
bool is_path(const Shape& shape, const Route& route, bool whole) {
  std::size_t at = shape.nodes;
  for (const std::string_view name : route) {
    if (!leads(shape, at, name)) return false;
    at = 0;
    while (label(shape, at) != name) ++at;
  }
  return !whole || leads(shape, at, kEnd);
}

RC_GTEST_PROP(GraphPropTest, ARouteIsAPathAndStaysWithinItsBounds, (std::uint64_t seed)) {
  Rng rng(seed);
  const Shape shape = random_shape(rng);
  const std::int64_t visits_max = rng.between(1, 20);
  const RunOptions options = {.steps_max = rng.between(1, 60)};
  const Result<TrailGraph> graph = build(shape, visits_max);
  RC_ASSERT(graph.ok());

  TinyLoop loop;
  World world;
  Recorder recorder;
  const std::int64_t draw = rng.between(0, 1'000'000);
  Task<TrailOutcome> task =
      graph.value().run(Trail{.total = draw}, options, world, loop, &recorder);
  task.start();
  RC_ASSERT(task.done());
  const TrailOutcome& outcome = task.result();

  const bool finished = outcome.status == TrailOutcome::kFinished;
  RC_CLASSIFY(finished, "finished");
  RC_CLASSIFY(outcome.route.size() > 5, "long");
  RC_ASSERT(is_path(shape, outcome.route, finished));
  RC_ASSERT(outcome.steps == static_cast<std::int64_t>(outcome.route.size()));
  RC_ASSERT(outcome.steps <= options.steps_max);
  RC_ASSERT(world.calls.size() == outcome.route.size());
  std::map<std::string_view, std::int64_t> visits;
  for (const std::string_view name : outcome.route) RC_ASSERT(++visits[name] <= visits_max);
  if (!finished) RC_ASSERT(outcome.error.code == ErrorCode::kLimitReached);
}

// Resuming after each of many interrupts gives what one run without interrupts gives.
Task<TrailResult> pause(TrailContext& context) {
  if (context.answer() == nullptr) co_return Interrupt{Json()};
  co_return trace_of(context);
}

RC_GTEST_PROP(GraphPropTest, ARunInPiecesIsTheRunInOne, (std::uint64_t seed)) {
  Rng rng(seed);
  const std::int64_t rounds = rng.between(1, 20);
  const bool paused[] = {rng.chance(1, 2), rng.chance(1, 2), rng.chance(1, 2)};
  TrailBuilder builder;
  for (int node = 0; node < 3; ++node) {
    builder.add_node(std::to_string(node), paused[node] ? pause : walk);
  }
  builder.add_edge(kStart, "0").add_edge("0", "1").add_edge("1", "2");
  builder.add_conditional_edges(
      "2", [](const Trail& trail) { return trail.total < 0 ? std::string_view("0") : kEnd; },
      {"0", kEnd});
  const Result<TrailGraph> graph = builder.build();
  RC_ASSERT(graph.ok());

  TinyLoop loop;
  World world;
  Task<TrailOutcome> task =
      graph.value().run(Trail{.total = -3 * rounds}, RunOptions(), world, loop);
  task.start();
  while (task.result().status == TrailOutcome::kInterrupted) {
    Snapshot<Trail> snapshot = std::move(*task.result().snapshot);
    task = graph.value().resume(std::move(snapshot), Json(true), RunOptions(), world, loop);
    task.start();
  }
  const TrailOutcome& outcome = task.result();
  RC_ASSERT(outcome.status == TrailOutcome::kFinished);
  RC_ASSERT(outcome.steps == 3 * rounds);
  RC_ASSERT(outcome.route.size() == outcome.state.steps.size());
  for (std::size_t step = 0; step < outcome.route.size(); ++step) {
    RC_ASSERT(outcome.route[step] == std::to_string(step % 3));
    RC_ASSERT(outcome.state.steps[step] == std::to_string(step % 3));
  }
}

}  // namespace
}  // namespace plumbline::graph
