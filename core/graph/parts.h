// The parts of a built graph: what each node runs, and how a subgraph is one of them.

#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/graph/checkpoint.h"
#include "core/graph/drawing.h"
#include "core/graph/node.h"
#include "core/graph/observer.h"
#include "core/graph/outcome.h"
#include "core/graph/topology.h"

namespace plumbline::graph {

// Router chooses the way on. It returns the name of one of the targets declared with it; the name
// need not outlive the state.
template <GraphState State>
using Router = std::function<std::string_view(const State&)>;

template <GraphState State, typename Services>
class Graph;

namespace internal {

// Budget is what a run and all runs inside it use up together.
struct Budget {
  std::int64_t steps = 0;
  std::int64_t steps_max = 0;
};

// Scope is what surrounds one run: the caller's wishes, or the run around a subgraph.
struct Scope {
  Scope(RunOptions options, GraphObserver* watcher)
      : steps_max(options.steps_max), deadline(options.deadline), observer(watcher) {}

  std::int64_t steps_max;
  Instant deadline;
  GraphObserver* observer;   // May be null.
  Budget* budget = nullptr;  // Of the outermost run; null there.

  // Where nodes leave their notes; null: nowhere. And what was noted since the last checkpoint, of
  // which each node is shown its own.
  Notebook* notebook = nullptr;
  std::vector<Note> noted;

  // nested is the Snapshot of the subgraph that the current node is: before a resumed visit the one
  // to go on from, after an Interrupt the one to keep.
  std::any nested;
};

// NotesInside is the notebook of the subgraph `name`: it leaves every note in the one around it,
// for the process that comes after this one, and in the scope, for the next attempt.
class NotesInside final : public Notebook {
 public:
  // `around` must outlive it.
  NotesInside(Scope& around, std::string_view name)
      : around_(around), prefix_(std::string(name) + '/') {}

  // noted returns what was noted in here before, under the names of the inside.
  std::vector<Note> noted() const {
    std::vector<Note> inside;
    for (const Note& note : around_.noted) {
      if (!note.node.starts_with(prefix_)) continue;
      inside.push_back({note.node.substr(prefix_.size()), note.what});
    }
    return inside;
  }

  // implements Notebook ---
  Task<Status> add_note(Note note) override {
    note.node.insert(0, prefix_);
    if (around_.notebook != nullptr) {
      Note copy = note;
      Status kept = co_await around_.notebook->add_note(std::move(copy));
      if (!kept.ok()) co_return kept;
    }
    around_.noted.push_back(std::move(note));
    co_return Done{};
  }

 private:
  Scope& around_;
  std::string prefix_;
};

// Body is what a node runs.
template <GraphState State, typename Services>
class Body {
 public:
  virtual ~Body() = default;

  // run makes one attempt. `context` and `scope` outlive the Task.
  virtual Task<NodeResult<State>> run(Context<State, Services>& context, Scope& scope) const = 0;

  virtual void draw_inside(Drawing::Node& node) const = 0;
};

template <GraphState State, typename Services>
class FunctionBody final : public Body<State, Services> {
 public:
  explicit FunctionBody(Node<State, Services> node) : node_(std::move(node)) {}

  // implements Body ---
  Task<NodeResult<State>> run(Context<State, Services>& context, Scope& /*scope*/) const override {
    return node_(context);
  }
  void draw_inside(Drawing::Node& /*node*/) const override {}

 private:
  Node<State, Services> node_;
};

template <GraphState State, GraphState Inner, typename Services>
class SubgraphBody final : public Body<State, Services> {
 public:
  using Enter = std::function<Inner(const State&)>;
  using Leave = std::function<typename State::Update(Inner)>;

  SubgraphBody(Graph<Inner, Services> inner, Enter enter, Leave leave)
      : inner_(std::move(inner)), enter_(std::move(enter)), leave_(std::move(leave)) {}

  // implements Body ---
  Task<NodeResult<State>> run(Context<State, Services>& context, Scope& scope) const override;
  void draw_inside(Drawing::Node& node) const override { node.inside.push_back(inner_.drawing()); }

 private:
  Graph<Inner, Services> inner_;
  Enter enter_;
  Leave leave_;
};

template <GraphState State, typename Services>
struct NodeParts {
  std::unique_ptr<Body<State, Services>> body;
  NodePolicy policy;
  Router<State> router;  // Empty unless its exits are conditional.
};

template <GraphState State, typename Services>
struct Parts {
  Wiring wiring;
  std::vector<NodeParts<State, Services>> nodes;  // By node.
  Router<State> start_router;
};

template <GraphState State, GraphState Inner, typename Services>
Task<NodeResult<State>> SubgraphBody<State, Inner, Services>::run(Context<State, Services>& context,
                                                                  Scope& scope) const {
  std::optional<PrefixObserver> prefixed;
  if (scope.observer != nullptr) prefixed.emplace(*scope.observer, context.node());
  RunOptions options;
  options.deadline = context.deadline();
  Scope within(options, prefixed ? &*prefixed : nullptr);
  within.budget = scope.budget;
  NotesInside notes(scope, context.node());
  within.notebook = &notes;
  within.noted = notes.noted();

  std::optional<Json> answer;
  std::optional<Snapshot<Inner>> from;
  if (context.answer() == nullptr) {
    from.emplace(Snapshot<Inner>{.state = enter_(context.state())});
  } else if (const auto* kept = std::any_cast<Snapshot<Inner>>(&scope.nested)) {
    answer = *context.answer();
    from = *kept;  // A copy: another attempt may need it again.
  } else {
    co_return Error{ErrorCode::kInvalidInput, "snapshot lacks the inside of this subgraph"};
  }

  Snapshot<Inner> begin = std::move(*from);
  Outcome<Inner> outcome =
      co_await inner_.drive(std::move(begin), std::move(answer), std::move(within),
                            context.services(), context.loop(), nullptr);
  if (outcome.status == Outcome<Inner>::kFailed) co_return std::move(outcome.error);
  if (outcome.status == Outcome<Inner>::kFinished) co_return leave_(std::move(outcome.state));
  Json payload = outcome.snapshot->payload;
  scope.nested = std::move(*outcome.snapshot);
  co_return Interrupt{std::move(payload)};
}

}  // namespace internal
}  // namespace plumbline::graph
