#include "core/agents/supervisor/run/supervisor_run.h"

#include <algorithm>
#include <utility>

#include "core/agents/agent.h"
#include "core/agents/approvals/approval.h"
#include "core/agents/supervisor/nodes/step_input.h"

namespace plumbline::agents::supervisor {

namespace {

constexpr const char* kAgentName = "supervisor";

bool runs_commands(std::string_view node) { return node == kCliAgent || node == kRemoteCliAgent; }

}  // namespace

SupervisorState supervisor_state(std::string tool, Json arguments, Conversation conversation) {
  SupervisorState state;
  state.conversation = std::move(conversation);
  state.asked.tool_name = std::move(tool);
  state.asked.prompt = string_or(arguments, "prompt", "");
  state.asked.task = state.asked.prompt;
  state.asked.request_data = std::move(arguments);
  return state;
}

Status check_supervisor_answer(const Json& review, const Json& answer) {
  const bool decides = find(answer, "step") == nullptr;
  if (string_or(review, "type", "") == "step" && !decides) {
    const Result<StepInput> step = read_step(answer);
    if (!step.ok()) return step.error();
    return Done{};
  }
  return check_remembering_decision(review, answer);
}

SupervisorRun::SupervisorRun(SupervisorServices& services, Loop& loop,
                             graph::GraphObserver* observer, SupervisorThread* thread)
    : spans_(services.tracer, observer),
      run_(supervisor_graph(), {.steps_max = kSupervisorStepsMax}, services, loop,
           services.tracer != nullptr ? &spans_ : observer, thread) {}

Task<void> SupervisorRun::start(SupervisorState initial, std::string parent) {
  conversation_ = initial.conversation.thread_id;
  spans_.begin(kAgentName, conversation_, parent);
  co_await run_.start(std::move(initial));
  settle();
}

Task<void> SupervisorRun::resume(Json answer, std::string parent) {
  spans_.begin(kAgentName, conversation_, parent);
  Json bound = approvals::answer_to(*review(), std::move(answer));
  co_await run_.resume(std::move(bound));
  settle();
}

// may_have_run returns whether the command under way may have, in this process or in one before.
bool SupervisorRun::may_have_run() {
  const auto& notes = run_.past_notes();
  const bool before =
      std::ranges::any_of(notes, [](const graph::Note& note) { return runs_commands(note.node); });
  const bool here = !route().empty() && runs_commands(route().back());
  return before || here || run_.unreadable();
}

// settle ends a run that a bound, the store or another process has stopped.
void SupervisorRun::settle() {
  if (review() == nullptr) settle_answer();
  const bool failed = review() == nullptr && state().answer.status == Progressing::kError;
  spans_.end(failed ? state().answer.error_message.value_or("it failed") : "");
}

void SupervisorRun::settle_answer() {
  SupervisorState& state = run_.outcome().state;
  const bool ended =
      state.answer.status == Progressing::kCompleted || state.answer.status == Progressing::kError;
  const bool stopped = run_.outcome().status == graph::Outcome<SupervisorState>::kFailed;
  if (ended && !stopped) return;
  if (may_have_run()) add_unknown_result(state);
  state.answer = failed_answer(state, "the run was stopped: " + run_.outcome().error.message);
}

}  // namespace plumbline::agents::supervisor
