// Who is next.

#include <utility>

#include "core/agents/supervisor/nodes/supervisor_nodes.h"
#include "core/base/check.h"

namespace plumbline::agents::supervisor {

namespace {

const char* agent_of(ToolKind kind) {
  switch (kind) {
    case ToolKind::kSimple:
      return kSimpleToolAgent;
    case ToolKind::kWorkflow:
      return kWorkflowAgent;
    case ToolKind::kCommand:
      return kCliAgent;
    case ToolKind::kRemote:
      return kRemoteCliAgent;
  }
  return kSimpleToolAgent;
}

SupervisorState::Update refused(const SupervisorState& state, std::string why) {
  SupervisorState::Update update;
  update.routing = state.routing;
  update.routing->next_agent.reset();
  update.routing->should_continue = false;
  update.answer = failed_answer(state, std::move(why));
  return update;
}

// go_over makes the tool that a workflow names as its next one the tool of the request. What was
// found, and what commands have shown, stays.
void go_over(const SupervisorState& state, SupervisorState::Update& update) {
  update.asked = state.asked;
  update.asked->tool_name = state.workflow.next_tool;
  update.workflow = state.workflow;
  update.workflow->next_tool.clear();
  update.workflow->phase = Phase::kStep;
  update.workflow->next_step_required = true;
}

}  // namespace

const ToolSpec& tool_of(const SupervisorState& state) {
  const Result<const ToolSpec*> tool = find_tool(state.asked.tool_name);
  check(tool.ok(), "the supervisor has let the tool through");
  return *tool.value();
}

bool steps_are_users(const SupervisorState& state) {
  return find(state.asked.request_data, "step") != nullptr;
}

Answered failed_answer(const SupervisorState& state, std::string why) {
  Answered out = state.answer;
  out.status = Progressing::kError;
  if (out.response_content.empty()) out.response_content = why;
  out.error_message = std::move(why);
  return out;
}

Task<SupervisorResult> supervisor_node(SupervisorContext& context) {
  const SupervisorState& state = context.state();
  const std::int64_t visits_max = context.services().limits.visits_max;
  if (state.routing.visits >= visits_max) {
    co_return refused(state, "the supervisor was visited " + std::to_string(visits_max) +
                                 " times, which is as often as it may be");
  }
  SupervisorState::Update update;
  const bool over = state.workflow.phase == Phase::kDone && !state.workflow.next_tool.empty() &&
                    state.commands.done();
  if (over) go_over(state, update);
  const Result<const ToolSpec*> tool =
      find_tool(over ? state.workflow.next_tool : state.asked.tool_name);
  if (!tool.ok()) co_return refused(state, tool.error().message);
  update.routing = state.routing;
  ++update.routing->visits;
  if (!state.routing.should_continue || over) {
    update.routing->next_agent = agent_of(tool.value()->kind);
  }
  update.routing->should_continue = false;
  update.answer = state.answer;
  update.answer->status = Progressing::kInProgress;
  co_return update;
}

}  // namespace plumbline::agents::supervisor
