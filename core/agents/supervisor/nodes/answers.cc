// What answers with a model's words.

#include <utility>
#include <variant>

#include "core/agents/supervisor/nodes/model_question.h"
#include "core/agents/supervisor/nodes/step_input.h"
#include "core/agents/supervisor/nodes/supervisor_nodes.h"

namespace plumbline::agents::supervisor {

namespace {

// completed_answer is what a model has said, with what it knew.
Answered completed_answer(const SupervisorState& state, std::string text) {
  Answered out = state.answer;
  out.response_content = std::move(text);
  out.status = Progressing::kCompleted;
  out.response_metadata["model"] = state.model.model_name;
  out.response_metadata["tool"] = state.asked.tool_name;
  if (!state.sources.files_left_out.empty()) {
    out.response_metadata["files_left_out"] = state.sources.files_left_out;
  }
  return out;
}

// told returns the answer of a tool that asks no model.
std::string told(const SupervisorState& state, const SupervisorServices& services) {
  if (state.asked.tool_name == "version") {
    return "plumbline supervisor, " + std::to_string(all_tools().size()) + " tools";
  }
  std::string out;
  for (const std::string& name : services.models.names()) out += (out.empty() ? "" : "\n") + name;
  return out.empty() ? "no model is configured" : out;
}

// said_or_failed makes an answer of what has come from the model.
Answered said_or_failed(const SupervisorState& state, model::Completed done) {
  if (auto* const failure = std::get_if<model::Failure>(&done)) {
    return failed_answer(state, "the model could not answer: " + failure->message);
  }
  return completed_answer(state, std::get<model::Completion>(std::move(done)).message.text);
}

}  // namespace

Task<SupervisorResult> simple_tool_agent_node(SupervisorContext& context) {
  const SupervisorState& state = context.state();
  SupervisorState::Update update;
  const ToolSpec& tool = tool_of(state);
  if (tool.input == ToolInput::kNothing) {
    update.answer = completed_answer(state, told(state, context.services()));
    co_return update;
  }
  if (state.asked.prompt.empty()) {
    update.answer = failed_answer(state, "\"prompt\" is missing, expected what is asked");
    co_return update;
  }
  model::Prompt prompt = prompt_of(state, tool.role, state.asked.prompt);
  std::string name = state.model.model_name;
  model::Completed done = co_await ask_model(context, std::move(name), std::move(prompt));
  update.answer = said_or_failed(state, std::move(done));
  co_return update;
}

Task<SupervisorResult> expert_analysis_node(SupervisorContext& context) {
  const SupervisorState& state = context.state();
  SupervisorState::Update update;
  update.routing = state.routing;
  update.routing->needs_expert_analysis = false;
  const std::string about = state.asked.prompt.empty() ? "" : " about: " + state.asked.prompt;
  std::string question = "Judge what was found" + about +
                         "\nConfirm or refute each finding, say what was missed, and conclude.";
  model::Prompt prompt = prompt_of(state, tool_of(state).role, std::move(question));
  std::string name = state.model.model_name;
  model::Completed done = co_await ask_model(context, std::move(name), std::move(prompt));
  update.answer = said_or_failed(state, std::move(done));
  update.answer->response_metadata["expert_analysis"] =
      update.answer->status == Progressing::kCompleted;
  co_return update;
}

}  // namespace plumbline::agents::supervisor
