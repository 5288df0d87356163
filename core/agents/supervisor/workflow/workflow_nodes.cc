#include "core/agents/supervisor/workflow/workflow_nodes.h"

#include <utility>
#include <variant>

#include "core/agents/supervisor/nodes/model_question.h"
#include "core/agents/supervisor/nodes/step_input.h"

namespace plumbline::agents::supervisor {

namespace {

using Update = SupervisorState::Update;

// conclude makes the workflow in `update` one that is done: a model has the last word, the tool
// that was named goes on, or the summary is the answer.
void conclude(const SupervisorState& state, Update& update) {
  Workflow& workflow = *update.workflow;
  workflow.phase = Phase::kDone;
  workflow.required_actions.clear();
  const bool goes_over = !workflow.next_tool.empty();
  Routing& routing = update.routing ? *update.routing : update.routing.emplace(state.routing);
  routing.should_continue = goes_over;
  routing.next_agent = goes_over ? std::optional<std::string>(kWorkflowAgent) : std::nullopt;
  routing.needs_expert_analysis = !goes_over && wants_expert(tool_of(state), workflow);
  Answered& answer = update.answer ? *update.answer : update.answer.emplace(state.answer);
  answer.response_content = summary_of(workflow);
  answer.status = Progressing::kCompleted;
}

void go_on_with(const SupervisorState& state, Update& update, const char* agent) {
  Routing& routing = update.routing ? *update.routing : update.routing.emplace(state.routing);
  routing.next_agent = agent;
  routing.should_continue = true;
}

// voices_of returns who is asked: those of the request, of the settings, or the default model on
// all three sides.
Json voices_of(const SupervisorState& state, const SupervisorServices& services) {
  const Json* const asked = find(state.asked.request_data, "models");
  if (asked != nullptr && asked->is_array() && !asked->empty()) {
    Json out = *asked;
    while (out.size() > services.limits.voices_max) out.erase(out.size() - 1);
    return out;
  }
  Json out = Json::array();
  for (const Voice& voice : services.voices) {
    out.push_back({{"model", voice.model}, {"stance", voice.stance}});
  }
  if (!out.empty()) return out;
  for (const char* stance : {"for", "against", "neutral"}) {
    out.push_back({{"model", state.model.model_name}, {"stance", stance}});
  }
  return out;
}

std::string step_question(const SupervisorState& state, const ToolSpec& tool) {
  return state.asked.prompt + "\n\nMake step " + std::to_string(state.workflow.workflow_step + 1) +
         " of this. Look for " + std::string(tool.asks_for) + ". It is finished when " +
         std::string(tool.finished_when) +
         ". Answer with one JSON object: {\"step\": what you did and what it showed, "
         "\"next_step_required\": true or false, \"confidence\": one of exploring, low, medium, "
         "high, very_high, almost_certain, certain, \"findings\": [{\"text\", \"file\", \"line\", "
         "\"severity\"}], \"commands\": [command lines you want to see the output of], \"files\": "
         "[absolute paths you want to read], \"next_tool\": the tool to go on with, or \"\"}.";
}

Json question_after(const SupervisorState& state) {
  const Workflow& workflow = state.workflow;
  Json findings = Json::array();
  for (const Finding& finding : workflow.findings) findings.push_back(to_json(finding));
  Json arguments = {{"step_number", workflow.workflow_step},
                    {"total_steps", workflow.total_steps},
                    {"confidence", name_of(workflow.confidence_level)},
                    {"findings", std::move(findings)},
                    {"required_actions", actions_after(tool_of(state), workflow)},
                    {"cli_results", state.commands.cli_past},
                    {"files_left_out", state.sources.files_left_out}};
  // A step that goes back has a number that was there before; the visits only grow.
  const std::string id = "step-" + std::to_string(workflow.workflow_step + 1) + "-" +
                         std::to_string(state.routing.visits);
  return {{"approval_id", id},
          {"server", ""},
          {"type", "step"},
          {"name", state.asked.tool_name},
          {"arguments", std::move(arguments)},
          {"risks", Json::array()},
          {"reason", "the next step is the user's"}};
}

// take_step records a step, with the commands and files that it wants.
Update take_step(const SupervisorState& state, StepInput step) {
  Update update;
  update.commands = state.commands;
  update.commands->cli_commands = std::move(step.commands);
  update.commands->cli_results.clear();
  update.sources = state.sources;
  // Named later is newer, and newer is further in front.
  for (std::string& file : step.files) {
    update.sources->files.insert(update.sources->files.begin(), std::move(file));
  }
  update.workflow = state.workflow;
  record(std::move(step), *update.workflow);
  return update;
}

}  // namespace

Task<SupervisorResult> initialize_workflow_node(SupervisorContext& context) {
  const SupervisorState& state = context.state();
  Update update;
  update.routing = state.routing;
  update.routing->should_continue = false;
  update.workflow = state.workflow;
  if (tool_of(state).input == ToolInput::kVoices) {
    update.asked = state.asked;
    update.asked->request_data["models"] = voices_of(state, context.services());
  }
  if (!steps_are_users(state) && state.asked.prompt.empty()) {
    update.answer =
        failed_answer(state, "there is no \"step\" and no \"prompt\", expected one of them");
    co_return update;
  }
  const bool ran = state.workflow.phase == Phase::kCommands && state.commands.done();
  if (!ran) co_return update;
  CommandWork& commands = update.commands.emplace(state.commands);
  for (Json& result : commands.cli_results) commands.cli_past.push_back(std::move(result));
  commands.cli_commands.clear();
  commands.cli_results.clear();
  update.workflow->phase = Phase::kReturn;
  if (!state.workflow.next_step_required) conclude(state, update);
  co_return update;
}

Task<SupervisorResult> execute_step_node(SupervisorContext& context) {
  const SupervisorState& state = context.state();
  if (steps_are_users(state)) {
    Result<StepInput> step = read_step(state.asked.request_data);
    if (step.ok()) co_return take_step(state, std::move(step).value());
    Update update;
    update.answer = failed_answer(state, step.error().message);
    co_return update;
  }
  const ToolSpec& tool = tool_of(state);
  model::Prompt prompt = prompt_of(state, tool.role, step_question(state, tool));
  std::string name = state.model.model_name;
  const model::Completed done = co_await ask_model(context, std::move(name), std::move(prompt));
  if (const auto* const failure = std::get_if<model::Failure>(&done)) {
    Update update;
    update.answer = failed_answer(state, "the model could not answer: " + failure->message);
    co_return update;
  }
  const std::string& said = std::get<model::Completion>(done).message.text;
  co_return take_step(state, read_model_step(said, state.workflow.workflow_step + 1));
}

Task<SupervisorResult> validate_findings_node(SupervisorContext& context) {
  Update update;
  update.workflow = context.state().workflow;
  const std::vector<std::string> refused = validate(*update.workflow);
  if (!refused.empty()) {
    update.answer = context.state().answer;
    Json& told = update.answer->response_metadata["left_out"];
    for (const std::string& line : refused) told.push_back(line);
  }
  co_return update;
}

Task<SupervisorResult> update_confidence_node(SupervisorContext& context) {
  const SupervisorState& state = context.state();
  Update update;
  Workflow& workflow = update.workflow.emplace(state.workflow);
  if (!workflow.steps.empty()) workflow.confidence_level = workflow.steps.back().confidence;
  const auto made = static_cast<std::int64_t>(workflow.steps.size());
  if (!steps_are_users(state) && made >= context.services().limits.model_steps_max) {
    workflow.next_step_required = false;
  }
  if (!state.commands.cli_commands.empty()) {
    workflow.phase = Phase::kCommands;
  } else if (workflow.next_step_required) {
    workflow.phase = Phase::kReturn;
  } else {
    conclude(state, update);
  }
  co_return update;
}

Task<SupervisorResult> generate_actions_node(SupervisorContext& context) {
  const SupervisorState& state = context.state();
  Update update;
  Workflow& workflow = update.workflow.emplace(state.workflow);
  if (workflow.phase == Phase::kCommands) {
    workflow.required_actions = {"Run the commands of this step."};
    go_on_with(state, update, kCliAgent);
    co_return update;
  }
  workflow.required_actions = actions_after(tool_of(state), workflow);
  if (steps_are_users(state)) {
    if (context.answer() == nullptr) co_return graph::Interrupt{question_after(state)};
    if (find(*context.answer(), "step") == nullptr) {
      conclude(state, update);
      co_return update;
    }
    update.asked = state.asked;
    update.asked->request_data = *context.answer();
  }
  workflow.phase = Phase::kStep;
  go_on_with(state, update, kWorkflowAgent);
  co_return update;
}

}  // namespace plumbline::agents::supervisor
