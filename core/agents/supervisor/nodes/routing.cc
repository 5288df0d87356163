// Who is next, and which model answers.

#include <algorithm>
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

std::int64_t files_bytes(const SupervisorState& state, SupervisorServices& services) {
  std::int64_t bytes = 0;
  for (const std::string& file : named_files(state)) {
    if (!why_not_read(file, services).empty()) continue;
    const Result<std::string> text = services.files->read_file(file);
    if (text.ok()) bytes += static_cast<std::int64_t>(text.value().size());
  }
  return bytes;
}

std::string default_model_of(const SupervisorServices& services) {
  if (!services.default_model.empty()) return services.default_model;
  const std::vector<std::string> names = services.models.names();
  return names.empty() ? "" : names.front();
}

// chosen_model returns the name by the rules.
std::string chosen_model(const SupervisorState& state, SupervisorServices& services) {
  const std::string wanted = string_or(state.asked.request_data, "model", "");
  if (!wanted.empty()) return wanted;
  const std::string& tool = state.asked.tool_name;
  for (const ModelRule& rule : services.rules) {
    const bool fits = rule.tool == tool && services.models.find(rule.model) != nullptr;
    if (!fits) continue;
    if (rule.files_bytes_above < 0 || files_bytes(state, services) > rule.files_bytes_above) {
      return rule.model;
    }
  }
  return default_model_of(services);
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

Task<SupervisorResult> model_selection_node(SupervisorContext& context) {
  const SupervisorState& state = context.state();
  SupervisorServices& services = context.services();
  SupervisorState::Update update;
  ModelChoice& choice = update.model.emplace(state.model);
  const bool many = tool_of(state).input == ToolInput::kVoices;
  choice.model_name = chosen_model(state, services);
  const model::Model* const found = services.models.find(choice.model_name);
  choice.model_provider = found != nullptr ? "configured" : "none";
  choice.model_context = {{"models", services.models.names()}, {"mode", many ? "multi" : "single"}};
  if (const Json* const warm = find(state.asked.request_data, "temperature")) {
    if (warm->is_number()) choice.temperature = warm->get<double>();
  }
  const std::string thinking = string_or(state.asked.request_data, "thinking_mode", "");
  if (!thinking.empty()) choice.thinking_mode = thinking;
  co_return update;
}

}  // namespace plumbline::agents::supervisor
