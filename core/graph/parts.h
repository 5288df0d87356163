// The parts of a built graph: what each node runs, and how it goes on from there.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/drawing.h"
#include "core/graph/nested.h"
#include "core/graph/node.h"
#include "core/graph/observer.h"
#include "core/graph/outcome.h"
#include "core/graph/snapshot.h"
#include "core/graph/topology.h"

namespace plumbline::graph {

// Router chooses the way on. It returns the name of one of the targets declared with it; the name
// need not outlive the state.
template <GraphState State>
using Router = std::function<std::string_view(const State&)>;

// FanOut chooses any number of ways on, each to one of the targets declared with it. None: the
// branch ends here.
template <GraphState State>
using FanOut = std::function<std::vector<Send>(const State&)>;

template <GraphState State, typename Services>
class Graph;

namespace internal {

using AnswerMap = std::map<std::string, Json, std::less<>>;

// Budget counts the nodes that a run, or one branch of it, has visited: for itself and for all that
// is around it.
struct Budget {
  Budget* around = nullptr;
  std::int64_t steps = 0;
  std::int64_t steps_max = 0;  // Of the outermost.

  void spend(std::int64_t count) {
    for (Budget* budget = this; budget != nullptr; budget = budget->around) budget->steps += count;
  }
  const Budget& outermost() const {
    const Budget* budget = this;
    while (budget->around != nullptr) budget = budget->around;
    return *budget;
  }
};

// Inside is how far a subgraph has come: where it stands, what it waits for, and with which answers
// its nodes are under way.
struct Inside {
  Nested nested;
  std::vector<Question> questions;
  AnswerMap answers;
};

// Progress keeps how far a subgraph has come, for the process that comes after this one.
class Progress {
 public:
  virtual Task<Status> moved(Inside inside) = 0;

 protected:
  ~Progress() = default;
};

// Scope is what surrounds one run: the caller's wishes, or the branch around a subgraph.
struct Scope {
  RunOptions options;
  GraphObserver* observer = nullptr;
  Budget* around = nullptr;      // Of the branch around; null for the outermost run.
  Notebook* notebook = nullptr;  // Where nodes leave their notes; null: nowhere.
  Progress* progress = nullptr;  // Of the branch around; null: nothing is kept.
  std::vector<Note> noted{};     // In here, before this run began.
};

// Visit is what surrounds one visit of a node, and what a subgraph in its place makes its Scope of.
struct Visit {
  const Scope* scope = nullptr;
  Progress* progress = nullptr;
  Budget budget;
  std::vector<Note> noted;          // By this visit, and by those of dead processes.
  AnswerMap answers;                // By the keys of the questions.
  Nested nested;                    // Where to go on inside; after an Interrupt: where it waits.
  std::vector<Question> questions;  // Of the inside, after an Interrupt.
};

// key_inside returns "KEY/INNER"; inner_key the INNER of that, "" when `key` is not inside
// `around`.
inline std::string key_inside(std::string_view around, std::string_view inner) {
  return std::string(around) + '/' + std::string(inner);
}
inline std::string_view inner_key(std::string_view key, std::string_view around) {
  if (key.size() <= around.size() || !key.starts_with(around) || key[around.size()] != '/')
    return {};
  return key.substr(around.size() + 1);
}

// Body is what a node runs.
template <GraphState State, typename Services>
class Body {
 public:
  virtual ~Body() = default;

  // run makes one attempt. `context` and `visit` outlive the Task.
  virtual Task<NodeResult<State>> run(Context<State, Services>& context, Visit& visit) const = 0;

  // fits returns what is wrong with `nested` as the inside of this node.
  virtual Status fits(const Nested& nested) const = 0;

  virtual void draw_inside(Drawing::Node& node) const = 0;
};

template <GraphState State, typename Services>
class FunctionBody final : public Body<State, Services> {
 public:
  explicit FunctionBody(Node<State, Services> node) : node_(std::move(node)) {}

  // implements Body ---
  Task<NodeResult<State>> run(Context<State, Services>& context, Visit& /*visit*/) const override {
    return node_(context);
  }
  Status fits(const Nested& nested) const override {
    if (!nested.has_value()) return Done{};
    return Error{ErrorCode::kInvalidInput, "is no subgraph"};
  }
  void draw_inside(Drawing::Node& /*node*/) const override {}

 private:
  Node<State, Services> node_;
};

template <GraphState State, typename Services>
struct NodeParts {
  std::unique_ptr<Body<State, Services>> body;
  NodePolicy policy;
  Router<State> router{};  // Both empty unless its exits are conditional.
  FanOut<State> fan_out{};
};

template <GraphState State, typename Services>
struct Parts {
  Wiring wiring;
  std::vector<NodeParts<State, Services>> nodes;  // By node.
  Router<State> start_router{};
  FanOut<State> start_fan_out{};
};

}  // namespace internal
}  // namespace plumbline::graph
