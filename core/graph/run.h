// Run is one run of a Graph: where it stands, what it may still use, what it will say. It decides
// everything between two waits; Graph::drive does the waiting.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/check.h"
#include "core/base/wait.h"
#include "core/graph/leg.h"
#include "core/graph/nesting.h"
#include "core/graph/observer.h"
#include "core/graph/outcome.h"
#include "core/graph/parts.h"
#include "core/graph/streaming.h"
#include "core/graph/topology.h"

namespace plumbline::graph::internal {

template <GraphState State, typename Services>
class Run {
 public:
  using Leg = internal::Leg<State, Services>;
  using Is = typename Leg::Is;

  // Begins anew with begin(), or with take_up() where `from` stands.
  Run(const Parts<State, Services>& parts, State initial, Scope scope, Services& services,
      Loop& loop)
      : parts_(parts),
        scope_(std::move(scope)),
        state_(std::move(initial)),
        context_(state_, services, loop),
        visits_(parts.nodes.size(), 0),
        joins_(parts.wiring.joins.size()) {
    budget_.around = scope_.around;
    budget_.steps_max = scope_.options.steps_max;
    context_.notebook_ = scope_.notebook;
    context_.observer_ = scope_.observer;
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void begin();
  void take_up(Snapshot<State> from, AnswerMap answers);

  // go_from makes the ways on from `node` the next step, in the place of all that was next.
  void go_from(std::string_view node);

  // enter begins the next step and returns whether there is one. Its visits are those of the legs()
  // that are under way; there are none when all were done before.
  bool enter();

  // legs are the branches of this step.
  std::vector<Leg>& legs() { return legs_; }
  std::size_t under_way() const;
  Leg& leg_under_way();  // The only one.
  bool has_failed_leg() const {
    return std::ranges::find(legs_, Is::kFailed, &Leg::is) != legs_.end();
  }

  // begin_attempt returns the node's work, which is to be dropped at leg.drop_at.
  Task<NodeResult<State>> begin_attempt(Leg& leg);

  // end_attempt takes what the attempt came to, or that it was dropped. Returns whether to begin
  // another one, at leg.retry_at; else the visit has ended.
  bool end_attempt(Leg& leg, NodeResult<State>&& result);
  bool end_attempt(Leg& leg, Result<NodeResult<State>> result);

  // leave acts on what the branches have come to: when all are done their updates are applied and
  // the next ones chosen, else the run ends.
  void leave();

  // fail ends the run.
  void fail(Error error);
  bool failed() const { return over_ && status_ == Ends::kFailed; }

  // outcome returns how the run ended. Once, after enter() returned false.
  Outcome<State> outcome();

  // between_steps returns whether all of the last step was done, and the next not begun.
  bool between_steps() const { return between_steps_; }

  // outset returns whether nothing was visited yet.
  bool outset() const { return route_.empty(); }

  // snapshot returns the run as it stands.
  Snapshot<State> snapshot() const;

  // inside returns the same for the branch around this run.
  Inside inside() const;

  const Scope& scope() const { return scope_; }

 private:
  using Ends = Outcome<State>;

  std::string_view name(std::size_t node) const { return parts_.wiring.name_of(node); }
  std::int64_t steps() const { return budget_.outermost().steps; }

  void give(const AnswerMap& answers);
  void set_out(Leg& leg);
  void follow(std::string_view from, const Exits& exits, const Router<State>& router,
              const FanOut<State>& fan_out);
  bool choose(std::string_view from, const Exits& exits, std::string_view to,
              std::optional<Json> input);
  void reach(std::string_view from, std::size_t to, std::optional<Json> input);
  void arrive(std::string_view from, std::size_t join);
  void move_on();
  void name_legs();
  bool admit(Leg& leg);
  bool worth_another(Leg& leg, const Error& error);

  const Parts<State, Services>& parts_;
  Scope scope_;
  State state_;
  Context<State, Services> context_;  // What those of the legs are copies of.
  Budget budget_;
  std::vector<std::int64_t> visits_;
  std::vector<std::vector<std::size_t>> joins_;  // By join: the nodes that have come.
  std::vector<std::string_view> route_;
  std::size_t route_before_ = 0;  // How much of it is from before this step.
  std::int64_t steps_before_ = 0;

  std::vector<Leg> legs_;
  std::vector<Leg> next_;
  bool between_steps_ = true;
  bool over_ = false;
  typename Ends::Status status_ = Ends::kFinished;
  Error error_;
};

template <GraphState State, typename Services>
void Run<State, Services>::fail(Error error) {
  over_ = true;
  status_ = Ends::kFailed;
  error_ = std::move(error);
}

// admit says whether the bounds allow one more visit, and fails the run when they do not.
template <GraphState State, typename Services>
bool Run<State, Services>::admit(Leg& leg) {
  const std::int64_t steps_max = budget_.outermost().steps_max;
  const std::int64_t visits_max = parts_.nodes[leg.node].policy.visits_max;
  const Instant deadline = scope_.options.deadline;
  if (leg.visit.budget.steps == 0 && steps() >= steps_max) {
    fail({ErrorCode::kLimitReached, about("node", leg.node_name, "is beyond the limit of ") +
                                        std::to_string(steps_max) + " steps"});
  } else if (visits_[leg.node] >= visits_max) {
    fail({ErrorCode::kLimitReached, about("node", leg.node_name, "is beyond its limit of ") +
                                        std::to_string(visits_max) + " visits"});
  } else if (deadline != kNever && context_.now() >= deadline) {
    fail({ErrorCode::kDeadlineExceeded,
          about("node", leg.node_name, "came after the run's deadline")});
  }
  return !over_;
}

template <GraphState State, typename Services>
bool Run<State, Services>::enter() {
  if (over_) return false;
  std::int64_t number = steps_before_;
  bool any = false;
  for (Leg& leg : legs_) {
    leg.number = number + 1;
    const bool taken_up = leg.visit.budget.steps > 0;
    if (!taken_up && !admit(leg)) return false;
    leg.visit.budget.around = &budget_;
    if (!taken_up) leg.visit.budget.spend(1);
    ++visits_[leg.node];
    route_.push_back(leg.node_name);
    number += leg.visit.budget.steps;
    if (leg.is != Is::kReady) continue;
    set_out(leg);
    any = true;
  }
  between_steps_ = false;
  const bool stands = !any && std::ranges::find(legs_, Is::kWaits, &Leg::is) != legs_.end();
  if (stands) leave();
  return !stands;
}

// set_out makes a leg ready for its first attempt.
template <GraphState State, typename Services>
void Run<State, Services>::set_out(Leg& leg) {
  leg.is = Is::kUnderWay;
  leg.visit.scope = &scope_;
  for (const Note& note : scope_.noted) {
    if (note.node == leg.key || !inner_key(note.node, leg.key).empty()) {
      leg.visit.noted.push_back(note);
    }
  }
  leg.context.node_ = leg.node_name;
  leg.context.key_ = leg.key;
  leg.context.input_ = leg.input ? &*leg.input : nullptr;
  leg.context.attempt_ = 0;
  const auto answer = leg.visit.answers.find(leg.key);
  leg.context.answer_ = answer == leg.visit.answers.end() ? nullptr : &answer->second;
  for (const Note& note : leg.visit.noted) {
    if (note.node == leg.key) leg.context.notes_.push_back(note.what);
  }
}

template <GraphState State, typename Services>
std::size_t Run<State, Services>::under_way() const {
  return std::ranges::count(legs_, Is::kUnderWay, &Leg::is);
}

template <GraphState State, typename Services>
Leg<State, Services>& Run<State, Services>::leg_under_way() {
  return *std::ranges::find(legs_, Is::kUnderWay, &Leg::is);
}

template <GraphState State, typename Services>
Task<NodeResult<State>> Run<State, Services>::begin_attempt(Leg& leg) {
  const NodeParts<State, Services>& node = parts_.nodes[leg.node];
  const Duration timeout = node.policy.timeout;
  const Instant deadline = scope_.options.deadline;
  const Instant own = timeout > Duration() ? after(context_.now(), timeout) : kNever;
  leg.context.deadline_ = std::min(own, deadline);
  // Inside a subgraph the run's deadline is kept by the outermost run: one timer, one message.
  const bool outermost = scope_.around == nullptr;
  leg.drop_at = outermost ? leg.context.deadline_ : (own < deadline ? own : kNever);
  ++leg.context.attempt_;
  leg.inside.reset();
  if (scope_.observer != nullptr) {
    const std::int64_t step = leg.number + leg.visit.budget.steps - 1;
    scope_.observer->node_started(leg.node_name, step, leg.context.attempt_);
    leg.context.traceparent_ = scope_.observer->traceparent(leg.node_name, step);
  }
  stream_attempt(scope_.observer, leg);
  return node.body->run(leg.context, leg.visit);
}

template <GraphState State, typename Services>
bool Run<State, Services>::end_attempt(Leg& leg, Result<NodeResult<State>> result) {
  if (result.ok()) return end_attempt(leg, std::move(result).value());
  return end_attempt(leg, NodeResult<State>(Error(result.error())));
}

template <GraphState State, typename Services>
bool Run<State, Services>::end_attempt(Leg& leg, NodeResult<State>&& result) {
  leg.result = std::move(result);
  Error* const error = std::get_if<Error>(&leg.result);
  Interrupt* const interrupt = std::get_if<Interrupt>(&leg.result);
  if (scope_.observer != nullptr) {
    scope_.observer->node_ended(leg.node_name, leg.number + leg.visit.budget.steps - 1,
                                static_cast<StepResult>(leg.result.index()), error);
  }
  if (error != nullptr && worth_another(leg, *error)) return true;
  leg.is = error != nullptr ? Is::kFailed : Is::kDone;
  leg.unkept = error == nullptr;
  if (interrupt != nullptr) {
    if (scope_.observer != nullptr) {
      scope_.observer->interrupted(leg.node_name, interrupt->payload);
    }
    leg.ask(std::move(interrupt->payload));
  }
  stream_result(scope_.observer, leg);
  return false;
}

// worth_another also sets retry_at. A wait that would outlast the run's deadline is not begun.
template <GraphState State, typename Services>
bool Run<State, Services>::worth_another(Leg& leg, const Error& error) {
  const NodePolicy& policy = parts_.nodes[leg.node].policy;
  if (leg.context.attempt_ >= policy.attempts_max || !policy.retry_on(error)) return false;
  leg.retry_at = after(context_.now(), policy.retries().wait(leg.context.attempt_));
  return leg.retry_at < scope_.options.deadline;
}

template <GraphState State, typename Services>
void Run<State, Services>::leave() {
  if (over_) return;
  const auto failed = std::ranges::find(legs_, Is::kFailed, &Leg::is);
  if (failed != legs_.end()) {
    const Error& error = std::get<Error>(failed->result);
    return fail({error.code, about("node", failed->node_name, "failed: ") + error.message});
  }
  check(under_way() == 0, "a step ends before its branches do");
  if (std::ranges::find(legs_, Is::kWaits, &Leg::is) != legs_.end()) {
    over_ = true;
    status_ = Ends::kInterrupted;
    return;
  }
  for (Leg& leg : legs_) {
    state_.apply(std::move(std::get<0>(leg.result)));
    leg.unkept = false;
  }
  stream_values(scope_.observer, state_);
  for (const Leg& leg : legs_) {
    const NodeParts<State, Services>& node = parts_.nodes[leg.node];
    follow(leg.node_name, parts_.wiring.exits[leg.node], node.router, node.fan_out);
    if (over_) return;
  }
  move_on();
}

template <GraphState State, typename Services>
Snapshot<State> Run<State, Services>::snapshot() const {
  Snapshot<State> out{.state = state_};
  const auto before = route_.begin() + static_cast<std::ptrdiff_t>(route_before_);
  out.route.assign(route_.begin(), before);
  out.steps = steps_before_;
  for (const Leg& leg : legs_) {
    out.branches.push_back(leg.branch());
    // Inside, all notes are with the branch around: there they are found whichever step it dies in.
    if (scope_.around != nullptr) out.branches.back().notes.clear();
  }
  for (std::size_t join = 0; join < joins_.size(); ++join) {
    if (joins_[join].empty()) continue;
    Join begun{std::string(name(parts_.wiring.joins[join].to)), {}};
    for (const std::size_t node : joins_[join]) begun.arrived.emplace_back(name(node));
    out.joins.push_back(std::move(begun));
  }
  return out;
}

template <GraphState State, typename Services>
Inside Run<State, Services>::inside() const {
  Inside out;
  Snapshot<State> standing = snapshot();
  for (std::size_t index = 0; index < legs_.size(); ++index) {
    const std::vector<Question>& asked = standing.branches[index].questions;
    out.questions.insert(out.questions.end(), asked.begin(), asked.end());
    const Leg& leg = legs_[index];
    if (leg.is != Is::kUnderWay) continue;
    const AnswerMap& answers = leg.inside ? leg.inside->answers : leg.visit.answers;
    out.answers.insert(answers.begin(), answers.end());
  }
  out.nested = nest(std::move(standing));
  return out;
}

template <GraphState State, typename Services>
Outcome<State> Run<State, Services>::outcome() {
  check(over_, "outcome() of a run that goes on");
  std::optional<Snapshot<State>> waiting;
  if (status_ == Ends::kInterrupted) waiting = snapshot();
  return {.status = status_,
          .state = std::move(state_),
          .route = std::move(route_),
          .steps = steps(),
          .error = std::move(error_),
          .snapshot = std::move(waiting)};
}

}  // namespace plumbline::graph::internal
