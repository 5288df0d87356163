// Graph is a StateGraph that was built: immutable, shared by any number of runs at a time, also
// from several threads. Describe one with GraphBuilder (core/graph/builder.h).
//
//   Outcome<State> outcome = co_await graph.run(std::move(state), options, services, loop);
//   if (outcome.status == Outcome<State>::kInterrupted) ... store *outcome.snapshot, ask a person
//   outcome = co_await graph.resume(std::move(snapshot), std::move(answer), options, ...);

#pragma once

#include <optional>
#include <utility>

#include "core/base/rare.h"
#include "core/graph/checkpoint.h"
#include "core/graph/drawing.h"
#include "core/graph/observer.h"
#include "core/graph/outcome.h"
#include "core/graph/run.h"

namespace plumbline::graph {

template <GraphState State, typename Services>
class GraphBuilder;

template <GraphState State, typename Services>
class Graph {
 public:
  // run takes `initial` from kStart along the edges until kEnd, an Interrupt or an Error.
  //
  // kFailed carries the Error of the node that failed after its last attempt, its message led by
  // "node 'NAME': ", or: kLimitReached at steps_max or a node's visits_max; kDeadlineExceeded at
  // options.deadline; kInvalidInput when a router returns what is not one of its targets.
  // Nodes that are ready at once run without returning to the loop.
  //
  // The graph must neither die nor move meanwhile. `services`, `loop` and `observer` (may be null)
  // must outlive the Task. Dropping the Task drops the node that runs; no event tells of it.
  //
  // With a `thread`, which must outlive the Task, a Checkpoint is put there before the first node
  // and after each. One that cannot be put does not end the run: the one before it stays in force
  // with its notes, and until it is put nothing can be noted.
  Task<Outcome<State>> run(State initial, RunOptions options, Services& services, Loop& loop,
                           GraphObserver* observer = nullptr,
                           Thread<State>* thread = nullptr) const {
    Snapshot<State> fresh = {.state = std::move(initial)};
    return drive(std::move(fresh), std::nullopt, scope_of(options, observer, thread), services,
                 loop, thread);
  }

  // go_on takes up a run that does not wait where `kept` was put. Steps and route go on counting.
  Task<Outcome<State>> go_on(Checkpoint<State> kept, RunOptions options, Services& services,
                             Loop& loop, GraphObserver* observer, Thread<State>* thread) const {
    check(!kept.waits, "a run that waits is resumed with an answer");
    internal::Scope scope = scope_of(options, observer, thread);
    scope.noted = std::move(kept.notes);
    return drive(std::move(kept.at), std::nullopt, std::move(scope), services, loop, thread);
  }

  // resume goes on where `snapshot` was taken: its node runs again, with answer() set, and nothing
  // before it does. Steps and route go on counting; options.deadline is a new one. kFailed with
  // kInvalidInput when the snapshot does not fit this graph. A snapshot resumed twice runs its
  // node twice: whoever keeps one sees to that.
  Task<Outcome<State>> resume(Snapshot<State> snapshot, Json answer, RunOptions options,
                              Services& services, Loop& loop, GraphObserver* observer = nullptr,
                              Thread<State>* thread = nullptr) const {
    return drive(std::move(snapshot), std::move(answer), scope_of(options, observer, thread),
                 services, loop, thread);
  }

  // resume takes up a run that waits where `kept` was put, with the notes of its node.
  Task<Outcome<State>> resume(Checkpoint<State> kept, Json answer, RunOptions options,
                              Services& services, Loop& loop, GraphObserver* observer,
                              Thread<State>* thread) const {
    check(kept.waits, "a run that does not wait goes on without an answer");
    internal::Scope scope = scope_of(options, observer, thread);
    scope.noted = std::move(kept.notes);
    return drive(std::move(kept.at), std::move(answer), std::move(scope), services, loop, thread);
  }

  // drawing describes the graph and, inside their nodes, its subgraphs.
  Drawing drawing() const;

 private:
  friend class GraphBuilder<State, Services>;
  template <GraphState Outer, GraphState Inner, typename Shared>
  friend class internal::SubgraphBody;

  explicit Graph(internal::Parts<State, Services> parts) : parts_(std::move(parts)) {}

  using Running = internal::Run<State, Services>;

  static internal::Scope scope_of(RunOptions options, GraphObserver* observer, Notebook* notebook) {
    internal::Scope scope(options, observer);
    scope.notebook = notebook;
    return scope;
  }

  Task<Outcome<State>> drive(Snapshot<State> from, std::optional<Json> answer,
                             internal::Scope scope, Services& services, Loop& loop,
                             Thread<State>* thread) const;
  static Task<void> keep(Running& run, Thread<State>& thread);

  internal::Parts<State, Services> parts_;
};

template <GraphState State, typename Services>
Drawing Graph<State, Services>::drawing() const {
  Drawing drawing = internal::draw(parts_.wiring);
  for (std::size_t node = 0; node < drawing.nodes.size(); ++node) {
    parts_.nodes[node].body->draw_inside(drawing.nodes[node]);
  }
  return drawing;
}

template <GraphState State, typename Services>
Task<Outcome<State>> Graph<State, Services>::drive(Snapshot<State> from, std::optional<Json> answer,
                                                   internal::Scope scope, Services& services,
                                                   Loop& loop, Thread<State>* thread) const {
  const bool fresh = from.node.empty();
  Running run(parts_, std::move(from), std::move(answer), std::move(scope), services, loop);
  if (thread != nullptr && fresh) co_await keep(run, *thread);
  while (run.enter()) {
    for (bool again = true; again;) {
      Task<NodeResult<State>> attempt = run.begin_attempt();
      if (run.drop_at() == kNever) {
        NodeResult<State> result = co_await attempt;
        again = run.end_attempt(std::move(result));
      } else {
        Result<NodeResult<State>> result =
            co_await with_deadline(loop, run.drop_at(), "it", std::move(attempt));
        again = run.end_attempt(std::move(result));
      }
      if (again) co_await Sleep(loop, run.retry_at());
    }
    run.leave();
    if (thread != nullptr) co_await keep(run, *thread);
    if (rare(Rare::kGraphTurn)) co_await Sleep(loop, loop.now());
  }
  co_return run.outcome();
}

template <GraphState State, typename Services>
Task<void> Graph<State, Services>::keep(Running& run, Thread<State>& thread) {
  std::optional<Checkpoint<State>> place = run.checkpoint();
  if (!place) co_return;
  const Status kept = co_await thread.put(std::move(*place));
  static_cast<void>(kept);  // The thread lets nothing be noted until it is.
}

}  // namespace plumbline::graph
