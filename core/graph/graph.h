// Graph is a StateGraph that was built: immutable, shared by any number of runs at a time, also
// from several threads. Describe one with GraphBuilder (core/graph/builder.h).
//
//   Outcome<State> outcome = co_await graph.run(std::move(state), options, services, loop);
//   if (outcome.status == Outcome<State>::kInterrupted) ... store *outcome.snapshot, ask a person
//   outcome = co_await graph.resume(std::move(snapshot), std::move(answer), options, ...);

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/rare.h"
#include "core/graph/drawing.h"
#include "core/graph/observer.h"
#include "core/graph/outcome.h"
#include "core/graph/step.h"
#include "core/graph/subgraph.h"
#include "core/graph/thread.h"

namespace plumbline::graph {

template <GraphState State, typename Services>
class GraphBuilder;

template <GraphState State, typename Services>
class Graph {
 public:
  // run takes `initial` from kStart along the edges until no branch goes on, an Interrupt or an
  // Error. The branches of one step run side by side, in the order in which they were reached; the
  // next step begins when all are done, with all of their Updates applied in that order.
  //
  // kFailed carries the Error of the node that failed after its last attempt, its message led by
  // "node 'NAME': ", or: kLimitReached at steps_max or a node's visits_max; kDeadlineExceeded at
  // options.deadline; kInvalidInput when a router returns what is not one of its targets.
  // Nodes that are ready at once run without returning to the loop.
  //
  // The graph must neither die nor move meanwhile. `services`, `loop` and `observer` (may be null)
  // must outlive the Task. Dropping the Task drops the nodes that run; no event tells of it.
  //
  // With a `thread`, which must outlive the Task, a Checkpoint is put there before the first node
  // and after each step, and within a step what each branch has come to. What cannot be put does
  // not end the run: what was put before stays in force with its notes, and until it is put nothing
  // can be noted. But kConflict does: somebody else goes on with this thread.
  Task<Outcome<State>> run(State initial, RunOptions options, Services& services, Loop& loop,
                           GraphObserver* observer = nullptr,
                           Thread<State>* thread = nullptr) const {
    return drive({std::move(initial)}, scope_of(options, observer, thread), services, loop, thread);
  }

  // go_on takes up a run where `kept` was put. Steps and route go on counting, options.deadline is
  // a new one. A branch that was done is not visited again, and one that waits goes on waiting
  // unless its answer was noted. kFailed with kInvalidInput when the checkpoint does not fit this
  // graph; then nothing was run.
  Task<Outcome<State>> go_on(Checkpoint<State> kept, RunOptions options, Services& services,
                             Loop& loop, GraphObserver* observer = nullptr,
                             Thread<State>* thread = nullptr) const {
    return resume(std::move(kept.at), Answers::by_key({}), options, services, loop, observer,
                  thread);
  }

  // resume goes on where `snapshot` was taken: the nodes whose answers are there run again, with
  // answer() set. All else is as in go_on(). kInvalidInput too when an answer is to no open
  // question, or has no key and there are several. A snapshot resumed twice runs its nodes twice:
  // whoever keeps one sees to that; Thread::answer() does.
  Task<Outcome<State>> resume(Snapshot<State> snapshot, Answers answers, RunOptions options,
                              Services& services, Loop& loop, GraphObserver* observer = nullptr,
                              Thread<State>* thread = nullptr) const {
    Result<internal::AnswerMap> keyed = internal::keyed(snapshot, answers);
    State state = std::move(snapshot.state);
    return drive({std::move(state), std::move(snapshot), std::move(keyed)},
                 scope_of(options, observer, thread), services, loop, thread);
  }

  Task<Outcome<State>> resume(Checkpoint<State> kept, Answers answers, RunOptions options,
                              Services& services, Loop& loop, GraphObserver* observer = nullptr,
                              Thread<State>* thread = nullptr) const {
    return resume(std::move(kept.at), std::move(answers), options, services, loop, observer,
                  thread);
  }

  // update changes the state of a run by hand, as if `node` had returned `change`: what is next are
  // the ways on from it, and kStart is a node here too. With no node, "", the branches of `kept`
  // stay and begin anew. Thread::put() makes it a step of a thread. kInvalidInput: `kept` does not
  // fit this graph, or there is no such node.
  Result<Checkpoint<State>> update(Checkpoint<State> kept, typename State::Update change,
                                   std::string_view node, Services& services, Loop& loop) const;

  // fits returns what is wrong with `snapshot` as one of this graph.
  Status fits(const Snapshot<State>& snapshot) const { return internal::fits(parts_, snapshot); }

  // drawing describes the graph and, inside their nodes, its subgraphs.
  Drawing drawing() const;

 private:
  friend class GraphBuilder<State, Services>;
  template <GraphState Outer, GraphState Inner, typename Shared>
  friend class internal::SubgraphBody;

  // From is where a run begins: anew, or at a place, with answers.
  struct From {
    State state;
    std::optional<Snapshot<State>> place{};
    Result<internal::AnswerMap> answers = internal::AnswerMap();
  };

  explicit Graph(internal::Parts<State, Services> parts) : parts_(std::move(parts)) {}

  static internal::Scope scope_of(RunOptions options, GraphObserver* observer, Notebook* notebook) {
    return {.options = options, .observer = observer, .notebook = notebook};
  }

  Task<Outcome<State>> drive(From from, internal::Scope scope, Services& services, Loop& loop,
                             Thread<State>* thread) const;

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
Result<Checkpoint<State>> Graph<State, Services>::update(Checkpoint<State> kept,
                                                         typename State::Update change,
                                                         std::string_view node, Services& services,
                                                         Loop& loop) const {
  const Status fitting = fits(kept.at);
  if (!fitting.ok()) return fitting.error();
  const std::int64_t step = kept.step;
  Checkpoint<State> out = begun_anew(std::move(kept));
  out.origin = Origin::kUpdate;
  out.parent = step;
  out.parent_thread.clear();
  out.at.state.apply(std::move(change));
  if (node.empty()) return out;
  State state = out.at.state;
  internal::Run<State, Services> run(parts_, std::move(state), internal::Scope(), services, loop);
  run.take_up(out.at, {});
  run.go_from(node);
  if (run.failed()) return run.outcome().error;
  out.at = run.snapshot();
  return out;
}

template <GraphState State, typename Services>
Task<Outcome<State>> Graph<State, Services>::drive(From from, internal::Scope scope,
                                                   Services& services, Loop& loop,
                                                   Thread<State>* thread) const {
  using Visits = internal::Visits<State, Services>;
  internal::Run<State, Services> run(parts_, std::move(from.state), std::move(scope), services,
                                     loop);
  internal::Keeper<State, Services> keeper(run, thread);
  if (!from.answers.ok()) {
    run.fail(from.answers.error());
  } else if (from.place) {
    run.take_up(std::move(*from.place), from.answers.value());
  } else {
    run.begin();
    if (thread != nullptr) co_await keeper.keep();
  }
  while (run.enter()) {
    if (run.under_way() == 1) {  // As Visits::visit(), in place: most steps are one visit.
      internal::Leg<State, Services>& leg = run.leg_under_way();
      internal::LegProgress<State, Services> progress(leg, keeper);
      if (keeper.keeps()) leg.visit.progress = &progress;
      for (bool again = true; again;) {
        Task<NodeResult<State>> attempt = run.begin_attempt(leg);
        if (leg.drop_at == kNever) {
          NodeResult<State> result = co_await attempt;
          again = run.end_attempt(leg, std::move(result));
        } else {
          Result<NodeResult<State>> result =
              co_await with_deadline(loop, leg.drop_at, "it", std::move(attempt));
          again = run.end_attempt(leg, std::move(result));
        }
        if (again) co_await Sleep(loop, leg.retry_at);
      }
    } else {
      Task<void> step = Visits::side_by_side(run, keeper, loop);
      co_await step;
    }
    run.leave();
    if (keeper.keeps()) co_await keeper.keep();
    if (rare(Rare::kGraphTurn)) co_await Sleep(loop, loop.now());
  }
  co_return run.outcome();
}

}  // namespace plumbline::graph
