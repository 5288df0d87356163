#include "core/agents/operations/operations_assistant.h"

#include <algorithm>
#include <utility>

#include "core/agents/approvals/approval.h"
#include "core/agents/operations/approved_call.h"
#include "core/agents/operations/operations_nodes.h"

namespace plumbline::agents {

OperationsState initial_state(std::string input, std::vector<std::string> server_preferences) {
  OperationsState state;
  state.input = std::move(input);
  state.server_preferences = std::move(server_preferences);
  return state;
}

Conversation::Conversation(graph::RunOptions options, AssistantServices& services, Loop& loop,
                           graph::GraphObserver* observer, AssistantThread* thread)
    : run_(operations_assistant(), options, services, loop, observer, thread) {
  run_.on_answer([&services](const graph::Question& question, const Json& decision) {
    if (!bool_or(decision, "approve", false)) return;
    services.approvals.grant(string_or(question.what, "approval_id", ""));
  });
}

Task<void> Conversation::start(OperationsState initial) {
  co_await run_.start(std::move(initial));
  settle();
}

Task<void> Conversation::resume(Json answer) {
  Json decision = approvals::answer_to(*review(), std::move(answer));
  co_await run_.resume(std::move(decision));
  settle();
}

// begun returns whether a call that changes something may have been sent, and nothing came of it.
bool Conversation::begun() {
  const OperationsState& state = outcome().state;
  if (!state.capability_validation.assessment.changes_the_world) return false;
  const bool here = !outcome().route.empty() && outcome().route.back() == kInvoke;
  const auto& notes = run_.past_notes();
  const bool before =
      !state.mcp_result && std::ranges::find(notes, kInvoke, &graph::Note::node) != notes.end();
  return here || before;
}

// settle writes the final output of a run that a bound stopped.
void Conversation::settle() {
  OperationsState& state = outcome().state;
  if (review() != nullptr || !state.final_output.is_null()) return;
  std::string reason = outcome().error.message;
  const bool in_doubt = run_.unreadable() || begun();
  if (run_.unreadable()) {
    reason += "; it is not known what was done before";
  } else if (in_doubt) {
    reason += "; it is not known whether " + shown_label(*state.selected()) + " took effect";
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
