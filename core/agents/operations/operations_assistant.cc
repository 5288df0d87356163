#include "core/agents/operations/operations_assistant.h"

#include <algorithm>
#include <utility>

#include "core/agents/operations/operations_nodes.h"

namespace plumbline::agents {

namespace {

// decision_of returns what is kept of an answer.
Json decision_of(Json answer) {
  Json decision = Json::object();
  decision["approved"] = bool_or(answer, "approve", false);
  if (const Json* const reason = find(answer, "reason")) decision["reason"] = *reason;
  return decision;
}

}  // namespace

OperationsState initial_state(std::string input, std::vector<std::string> server_preferences) {
  OperationsState state;
  state.input = std::move(input);
  state.server_preferences = std::move(server_preferences);
  return state;
}

Task<void> Conversation::start(OperationsState initial) {
  co_await begin(std::move(initial));
  co_await settle();
}

Task<void> Conversation::resume(Json answer) {
  Json decision = decision_of(std::move(answer));
  if (thread_ != nullptr) {
    std::string key = asked().key;
    Json kept = decision;
    const Status noted = co_await thread_->answer(std::move(key), std::move(kept));
    if (!noted.ok() && noted.error().code == ErrorCode::kConflict) {
      waiting_.reset();  // Somebody else has answered, or goes on with the request.
      outcome_.status = AssistantOutcome::kFailed;
      outcome_.error = noted.error();
      past_.unreadable = true;
      give_up();
      co_return;
    }
    // Any other way without it the person is asked a second time: no harm.
  }
  co_await go_on(std::move(decision));
  co_await settle();
}

// begin runs a request that is new, or takes up what its thread has kept.
Task<void> Conversation::begin(OperationsState initial) {
  using Kept = graph::Checkpoint<OperationsState>;
  const AssistantGraph& graph = operations_assistant();
  std::optional<Kept> kept;
  if (thread_ != nullptr) {
    Result<std::optional<Kept>> latest = co_await thread_->latest();
    if (!latest.ok()) {
      outcome_.state = std::move(initial);
      outcome_.error = latest.error();
      past_.unreadable = true;
      co_return;
    }
    kept = std::move(latest).value();
  }
  if (!kept) {
    outcome_ =
        co_await graph.run(std::move(initial), options_, services_, loop_, observer_, thread_);
    co_return;
  }
  const auto& branches = kept->at.branches;
  if (!branches.empty() && branches.front().waits()) {
    outcome_.status = AssistantOutcome::kInterrupted;
    outcome_.snapshot = std::move(kept->at);
    co_return;
  }
  if (!branches.empty()) past_.notes = branches.front().notes;
  outcome_ = co_await graph.go_on(std::move(*kept), options_, services_, loop_, observer_, thread_);
}

Task<void> Conversation::go_on(Json decision) {
  if (bool_or(decision, "approved", false)) {
    services_.approvals.grant(string_or(asked().what, "approval_id", ""));
  }
  graph::Answers answers = decided_before() != nullptr ? graph::Answers::by_key({})
                                                       : graph::Answers(std::move(decision));
  graph::Snapshot<OperationsState> waiting = std::move(*waiting_);
  waiting_.reset();
  const AssistantGraph& graph = operations_assistant();
  outcome_ = co_await graph.resume(std::move(waiting), std::move(answers), options_, services_,
                                   loop_, observer_, thread_);
}

// settle answers what was decided in a process before, and ends with a final output or a question.
Task<void> Conversation::settle() {
  while (outcome_.status == AssistantOutcome::kInterrupted) {
    waiting_ = std::move(outcome_.snapshot);
    past_.notes.clear();  // Of another node.
    const Json* const decided = decided_before();
    if (decided == nullptr) co_return;
    Json decision = *decided;
    co_await go_on(std::move(decision));
  }
  if (outcome_.state.final_output.is_null()) give_up();
}

const Json* Conversation::decided_before() const {
  return waiting_->branches.front().answer_to(asked().key);
}

// begun returns whether a call that changes something may have been sent, and nothing came of it.
bool Conversation::begun() const {
  const OperationsState& state = outcome_.state;
  if (!state.capability_validation.assessment.changes_the_world) return false;
  const bool here = !outcome_.route.empty() && outcome_.route.back() == kInvoke;
  const bool before =
      !state.mcp_result &&
      std::ranges::find(past_.notes, kInvoke, &graph::Note::node) != past_.notes.end();
  return here || before;
}

// give_up writes the final output of a run that a bound stopped.
void Conversation::give_up() {
  OperationsState& state = outcome_.state;
  std::string reason = outcome_.error.message;
  const bool in_doubt = past_.unreadable || begun();
  if (past_.unreadable) {
    reason += "; it is not known what was done before";
  } else if (in_doubt) {
    reason += "; it is not known whether " + label(*state.selected()) + " took effect";
  }
  state.needs_human_review = state.needs_human_review || in_doubt;
  state.errors.push_back("the run failed: " + reason);
  state.fallback_reason = reason;
  state.final_output = final_output_of(state);
  state.final_output["status"] = "failed";
  if (in_doubt) state.final_output["outcome"] = "unknown";
}

Task<AssistantOutcome> ask(OperationsState initial, graph::RunOptions options,
                           AssistantServices& services, Loop& loop, graph::GraphObserver* observer,
                           Approves approves, AssistantThread* thread) {
  Conversation conversation(options, services, loop, observer, thread);
  co_await conversation.start(std::move(initial));
  while (const Json* const review = conversation.review()) {
    Json answer = approval(approves && approves(*review));
    co_await conversation.resume(std::move(answer));
  }
  co_return std::move(conversation.outcome());
}

}  // namespace plumbline::agents
