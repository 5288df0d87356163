// Run is one run of a Graph: where it stands, what it may still use, what it will say. It decides
// everything between two waits; Graph::drive does the waiting.

#pragma once

#include <algorithm>
#include <any>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/check.h"
#include "core/base/wait.h"
#include "core/graph/checkpoint.h"
#include "core/graph/node.h"
#include "core/graph/observer.h"
#include "core/graph/outcome.h"
#include "core/graph/parts.h"
#include "core/graph/topology.h"

namespace plumbline::graph::internal {

template <GraphState State, typename Services>
class Run {
 public:
  // Begins anew, goes on at `from.node`, or, with an answer, resumes it.
  Run(const Parts<State, Services>& parts, Snapshot<State> from, std::optional<Json> answer,
      Scope scope, Services& services, Loop& loop)
      : parts_(parts),
        scope_(std::move(scope)),
        outermost_(scope_.budget == nullptr),
        noted_before_(scope_.noted.size()),
        answer_(std::move(answer)),
        state_(std::move(from.state)),
        context_(state_, services, loop),
        visits_(parts.nodes.size(), 0) {
    own_budget_.steps_max = scope_.steps_max;
    context_.notebook_ = scope_.notebook;
    if (outermost_) scope_.budget = &own_budget_;
    if (answer_ || !from.node.empty()) {
      take_up(std::move(from));
    } else {
      follow(kStart, parts_.wiring.start, parts_.start_router);
    }
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // enter begins the next visit and returns whether there is one.
  bool enter();

  // begin_attempt returns the node's work, which is to be dropped at drop_at().
  Task<NodeResult<State>> begin_attempt();
  Instant drop_at() const { return drop_at_; }

  // end_attempt takes what the attempt came to, or that it was dropped. Returns whether to begin
  // another one, at retry_at().
  bool end_attempt(NodeResult<State> result);
  bool end_attempt(Result<NodeResult<State>> result);
  Instant retry_at() const { return retry_at_; }

  // leave acts on the last result: the update is applied and the next node chosen, or the run ends.
  void leave();

  // outcome returns how the run ended. Once, after enter() returned false.
  Outcome<State> outcome();

  // checkpoint returns the place between two steps, or nothing when the run has failed.
  std::optional<Checkpoint<State>> checkpoint() const;

 private:
  using Ends = Outcome<State>;

  const NodeParts<State, Services>& here() const { return parts_.nodes[node_]; }
  std::string_view name() const { return parts_.wiring.name_of(node_); }

  void take_up(Snapshot<State> from);
  void follow(std::string_view from, const Exits& exits, const Router<State>& router);
  void fail(ErrorCode code, std::string message);
  bool admit();
  void show_notes();
  void forget_notes();
  bool worth_another(const Error& error);

  const Parts<State, Services>& parts_;
  Budget own_budget_;
  Scope scope_;
  bool outermost_;
  std::size_t noted_before_;  // How many notes a dead process has left inside of this subgraph.
  std::optional<Json> answer_;
  State state_;
  Context<State, Services> context_;
  std::vector<std::int64_t> visits_;
  std::vector<std::string_view> route_;

  std::size_t node_ = kEndIndex;
  bool resumed_ = false;  // The visit of node_ was counted before the Snapshot was taken.
  bool over_ = false;
  typename Ends::Status status_ = Ends::kFinished;
  Error error_;
  Json payload_;

  NodeResult<State> result_ = Error();
  Instant drop_at_ = kNever;
  Instant retry_at_{};
};

template <GraphState State, typename Services>
void Run<State, Services>::take_up(Snapshot<State> from) {
  const bool at_end = !answer_ && from.node == kEnd;
  const std::optional<std::size_t> node =
      at_end ? std::optional(kEndIndex) : parts_.wiring.index_of(from.node);
  if (!node)
    return fail(ErrorCode::kInvalidInput,
                about("snapshot stands at", from.node, "which is no node of this graph"));
  for (const std::string& visited : from.route) {
    const std::optional<std::size_t> index = parts_.wiring.index_of(visited);
    if (!index)
      return fail(ErrorCode::kInvalidInput,
                  about("snapshot visited", visited, "which is no node of this graph"));
    ++visits_[*index];
    route_.push_back(parts_.wiring.name_of(*index));
  }
  if (from.steps < static_cast<std::int64_t>(route_.size())) {
    return fail(ErrorCode::kInvalidInput, "snapshot has a route longer than its steps");
  }
  node_ = *node;
  if (outermost_) own_budget_.steps = from.steps;
  if (!answer_) {
    over_ = at_end;
    return;
  }
  if (route_.empty() || route_.back() != name()) {
    return fail(ErrorCode::kInvalidInput,
                about("snapshot waits in", name(), "but did not visit it"));
  }
  resumed_ = true;
  scope_.nested = std::move(from.nested);
}

// follow takes the way out of `from` that the state asks for.
template <GraphState State, typename Services>
void Run<State, Services>::follow(std::string_view from, const Exits& exits,
                                  const Router<State>& router) {
  const Exits::Way* way = exits.ways.data();
  if (exits.conditional) {
    const std::string_view chosen = router(std::as_const(state_));
    way = parts_.wiring.find(exits, chosen);
    if (way == nullptr) {
      return fail(
          ErrorCode::kInvalidInput,
          about("router of", from, "returned " + in_quotes(chosen) + ", not one of its targets"));
    }
  }
  node_ = way->to;
  if (scope_.observer != nullptr) scope_.observer->edge_taken(from, name());
  if (node_ == kEndIndex) over_ = true;
}

template <GraphState State, typename Services>
void Run<State, Services>::fail(ErrorCode code, std::string message) {
  over_ = true;
  status_ = Ends::kFailed;
  error_ = {code, std::move(message)};
}

// admit says whether the bounds allow one more visit, and fails the run when they do not.
template <GraphState State, typename Services>
bool Run<State, Services>::admit() {
  const Budget& budget = *scope_.budget;
  if (budget.steps >= budget.steps_max) {
    fail(ErrorCode::kLimitReached, about("node", name(), "is beyond the limit of ") +
                                       std::to_string(budget.steps_max) + " steps");
  } else if (visits_[node_] >= here().policy.visits_max) {
    fail(ErrorCode::kLimitReached, about("node", name(), "is beyond its limit of ") +
                                       std::to_string(here().policy.visits_max) + " visits");
  } else if (scope_.deadline != kNever && context_.now() >= scope_.deadline) {
    fail(ErrorCode::kDeadlineExceeded, about("node", name(), "came after the run's deadline"));
  }
  return !over_;
}

template <GraphState State, typename Services>
bool Run<State, Services>::enter() {
  if (over_) return false;
  if (!std::exchange(resumed_, false)) {
    if (!admit()) return false;
    ++scope_.budget->steps;
    ++visits_[node_];
    route_.push_back(name());
  }
  context_.node_ = name();
  context_.attempt_ = 0;
  context_.answer_ = answer_ ? &*answer_ : nullptr;
  show_notes();
  return true;
}

// show_notes lets the node see its own notes.
template <GraphState State, typename Services>
void Run<State, Services>::show_notes() {
  context_.notes_.clear();
  for (const Note& note : scope_.noted) {
    if (note.node == name()) context_.notes_.push_back(note.what);
  }
}

// forget_notes is for a visit that has ended: its notes were for its other attempts. Those of a
// dead process were for the node that its checkpoint stands before. Which visit of a subgraph's
// node they are of nobody knows, so there they stay until the subgraph is left.
template <GraphState State, typename Services>
void Run<State, Services>::forget_notes() {
  const std::size_t stay = outermost_ ? 0 : noted_before_;
  scope_.noted.erase(scope_.noted.begin() + static_cast<std::ptrdiff_t>(stay), scope_.noted.end());
}

template <GraphState State, typename Services>
Task<NodeResult<State>> Run<State, Services>::begin_attempt() {
  const Duration timeout = here().policy.timeout;
  const Instant own = timeout > Duration() ? after(context_.now(), timeout) : kNever;
  context_.deadline_ = std::min(own, scope_.deadline);
  // Inside a subgraph the run's deadline is kept by the outermost run: one timer, one message.
  drop_at_ = outermost_ ? context_.deadline_ : (own < scope_.deadline ? own : kNever);
  ++context_.attempt_;
  if (scope_.observer != nullptr) {
    scope_.observer->node_started(name(), scope_.budget->steps, context_.attempt_);
  }
  return here().body->run(context_, scope_);
}

template <GraphState State, typename Services>
bool Run<State, Services>::end_attempt(Result<NodeResult<State>> result) {
  if (result.ok()) return end_attempt(std::move(result).value());
  return end_attempt(NodeResult<State>(Error(result.error())));
}

template <GraphState State, typename Services>
bool Run<State, Services>::end_attempt(NodeResult<State> result) {
  result_ = std::move(result);
  const Error* const error = std::get_if<Error>(&result_);
  if (scope_.observer != nullptr) {
    const auto kind = static_cast<StepResult>(result_.index());
    scope_.observer->node_ended(name(), scope_.budget->steps, kind, error);
  }
  return error != nullptr && worth_another(*error);
}

// worth_another also sets retry_at(). A wait that would outlast the run's deadline is not begun.
template <GraphState State, typename Services>
bool Run<State, Services>::worth_another(const Error& error) {
  const NodePolicy& policy = here().policy;
  if (context_.attempt_ >= policy.attempts_max || !policy.retry_on(error)) return false;
  retry_at_ = after(context_.now(), policy.retries().wait(context_.attempt_));
  return retry_at_ < scope_.deadline;
}

template <GraphState State, typename Services>
void Run<State, Services>::leave() {
  answer_.reset();
  forget_notes();
  if (Error* const error = std::get_if<Error>(&result_)) {
    return fail(error->code, about("node", name(), "failed: ") + error->message);
  }
  if (Interrupt* const interrupt = std::get_if<Interrupt>(&result_)) {
    if (scope_.observer != nullptr) scope_.observer->interrupted(name(), interrupt->payload);
    over_ = true;
    status_ = Ends::kInterrupted;
    payload_ = std::move(interrupt->payload);
    return;
  }
  scope_.nested.reset();
  state_.apply(std::move(std::get<0>(result_)));
  follow(name(), parts_.wiring.exits[node_], here().router);
}

template <GraphState State, typename Services>
std::optional<Checkpoint<State>> Run<State, Services>::checkpoint() const {
  if (over_ && status_ == Ends::kFailed) return std::nullopt;
  const bool waits = over_ && status_ == Ends::kInterrupted;
  return Checkpoint<State>{Snapshot<State>{.state = state_,
                                           .node = std::string(name()),
                                           .route = {route_.begin(), route_.end()},
                                           .steps = scope_.budget->steps,
                                           .payload = payload_,
                                           .nested = scope_.nested},
                           waits};
}

template <GraphState State, typename Services>
Outcome<State> Run<State, Services>::outcome() {
  check(over_, "outcome() of a run that goes on");
  std::optional<Snapshot<State>> snapshot;
  if (status_ == Ends::kInterrupted) {
    snapshot = Snapshot<State>{.state = state_,
                               .node = std::string(name()),
                               .route = {route_.begin(), route_.end()},
                               .steps = scope_.budget->steps,
                               .payload = std::move(payload_),
                               .nested = std::move(scope_.nested)};
  }
  return {.status = status_,
          .state = std::move(state_),
          .route = std::move(route_),
          .steps = scope_.budget->steps,
          .error = std::move(error_),
          .snapshot = std::move(snapshot)};
}

}  // namespace plumbline::graph::internal
