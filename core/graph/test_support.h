// What the tests of this folder share: a loop, a state, nodes that leave a trail, and a recorder.

#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/timer_queue.h"
#include "core/graph/builder.h"
#include "core/graph/memory_saver.h"

namespace plumbline::graph {

// TinyLoop fires what is due and jumps to the next.
class TinyLoop final : public Loop {
 public:
  Instant now() const override { return now_; }
  void arm(Timer& timer, Instant when) override { queue_.arm(timer, std::max(when, now_), 0); }
  bool idle() const { return queue_.empty(); }
  void run_until(Instant until) {
    while (!queue_.empty() && queue_.next_due() <= until) {
      now_ = queue_.next_due();
      queue_.fire_next();
    }
    now_ = std::max(now_, until);
  }
  void run() {
    while (!queue_.empty()) run_until(queue_.next_due());
  }
  void run_next() {
    now_ = queue_.next_due();
    queue_.fire_next();
  }

 private:
  Instant now_{};
  TimerQueue queue_;
};

// Trail has one field of each kind of reducer.
struct Trail {
  struct Update {
    std::vector<std::string> steps{};            // Appended.
    std::map<std::string, std::string> facts{};  // Merged, the newer one wins.
    std::int64_t add = 0;                        // Summed.
    std::optional<std::string> answer{};         // Replaced when present.
  };

  std::vector<std::string> steps{};
  std::map<std::string, std::string> facts{};
  std::int64_t total = 0;
  std::string answer{};

  void apply(Update&& update) {
    for (std::string& step : update.steps) steps.push_back(std::move(step));
    for (auto& [key, value] : update.facts) facts.insert_or_assign(key, std::move(value));
    total += update.add;
    if (update.answer) answer = std::move(*update.answer);
  }
};

// World is what the nodes use: it counts what they do, whether or not an update comes of it.
struct World {
  std::vector<std::string> calls{};  // "node" once each attempt.
  std::vector<Instant> at{};         // When each attempt began.
  int failures_left = 0;
  ErrorCode failure = ErrorCode::kDisconnected;
  int unwound = 0;
  std::map<std::string, Duration, std::less<>> takes{};   // By key, of `take`.
  std::map<std::string, ErrorCode, std::less<>> fails{};  // By key, of `take`.
};

using TrailContext = Context<Trail, World>;
using TrailResult = NodeResult<Trail>;
using TrailBuilder = GraphBuilder<Trail, World>;
using TrailGraph = Graph<Trail, World>;
using TrailOutcome = Outcome<Trail>;
using Route = std::vector<std::string_view>;

inline Trail::Update trace_of(TrailContext& context) {
  Trail::Update update;
  update.steps.emplace_back(context.key());
  update.add = 1;
  return update;
}

inline void record_call(TrailContext& context) {
  context.services().calls.emplace_back(context.node());
  context.services().at.push_back(context.now());
}

// walk leaves its name.
inline Task<TrailResult> walk(TrailContext& context) {
  record_call(context);
  co_return trace_of(context);
}

// stumble fails World::failures_left times, then walks.
inline Task<TrailResult> stumble(TrailContext& context) {
  record_call(context);
  if (context.services().failures_left > 0) {
    --context.services().failures_left;
    co_return Error{context.services().failure, "the bridge is out"};
  }
  co_return trace_of(context);
}

struct Guard {
  explicit Guard(World& owner) : world(owner) {}
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() { ++world.unwound; }
  World& world;
};

// linger walks after an hour.
inline Task<TrailResult> linger(TrailContext& context) {
  const Guard guard(context.services());
  record_call(context);
  co_await Sleep(context.loop(), after(context.now(), std::chrono::hours(1)));
  co_return trace_of(context);
}

// take takes its time, then leaves its key, or fails.
inline Task<TrailResult> take(TrailContext& context) {
  World& world = context.services();
  const Guard guard(world);
  world.calls.emplace_back(context.key());
  world.at.push_back(context.now());
  const auto takes = world.takes.find(context.key());
  if (takes != world.takes.end()) {
    co_await Sleep(context.loop(), after(context.now(), takes->second));
  }
  const auto fails = world.fails.find(context.key());
  if (fails != world.fails.end()) co_return Error{fails->second, "the bridge is out"};
  Trail::Update update;
  update.steps.emplace_back(context.key());
  update.add = 1;
  if (context.input() != nullptr) update.facts[update.steps.front()] = dump_json(*context.input());
  co_return update;
}

// ask waits for a person and keeps what the person said.
inline Task<TrailResult> ask(TrailContext& context) {
  record_call(context);
  if (context.answer() == nullptr) {
    Json payload = {{"question", std::string(context.node())}};
    co_return Interrupt{std::move(payload)};
  }
  Trail::Update update = trace_of(context);
  update.answer = dump_json(*context.answer());
  co_return update;
}

// Recorder writes each event as one line.
class Recorder final : public GraphObserver {
 public:
  std::vector<std::string> lines;

  // implements GraphObserver ---
  void node_started(std::string_view node, std::int64_t step, int attempt) override {
    lines.push_back(std::to_string(step) + " " + std::string(node) + " #" +
                    std::to_string(attempt));
  }
  void node_ended(std::string_view node, std::int64_t step, StepResult result,
                  const Error* error) override {
    lines.push_back(std::to_string(step) + " " + std::string(node) + " " +
                    std::string(name_of(result)) + (error ? ": " + error->message : ""));
  }
  void edge_taken(std::string_view from, std::string_view to) override {
    lines.push_back(std::string(from) + " -> " + std::string(to));
  }
  void interrupted(std::string_view node, const Json& payload) override {
    lines.push_back(std::string(node) + " asks " + dump_json(payload));
  }
};

class GraphFixture : public testing::Test {
 protected:
  template <typename State>
  static Graph<State, World> built(GraphBuilder<State, World>& builder) {
    Result<Graph<State, World>> graph = builder.build();
    check(graph.ok(), graph.ok() ? "" : graph.error().message.c_str());
    return std::move(graph).value();
  }

  // finish runs the loop dry and returns what the run came to. It leaves nothing armed.
  template <typename State>
  Outcome<State> finish(Task<Outcome<State>> task) {
    task.start();
    loop_.run();
    check(task.done(), "the run hangs");
    EXPECT_TRUE(loop_.idle());
    return std::move(task.result());
  }

  TrailOutcome run(const TrailGraph& graph, RunOptions options = {}) {
    return finish(graph.run(Trail(), options, world_, loop_, &recorder_));
  }

  TinyLoop loop_;
  World world_;
  Recorder recorder_;
};

}  // namespace plumbline::graph
