#include "core/agents/supervisor/workflow/workflow_nodes.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/agents/supervisor/nodes/model_question.h"
#include "core/agents/supervisor/nodes/model_reply.h"
#include "core/agents/supervisor/nodes/step_input.h"
#include "core/agents/supervisor/words/workflow_words.h"
#include "core/agents/supervisor/workflow/voices.h"

namespace plumbline::agents::supervisor {

namespace {

using Update = SupervisorState::Update;

// conclude makes the workflow in `update` one that is done: a model has the last word, the tool
// that was named goes on, or the steps put together are the answer.
void conclude(const SupervisorState& state, Update& update) {
  Workflow& workflow = *update.workflow;
  workflow.phase = Phase::kDone;
  workflow.required_actions.clear();
  const bool goes_over = !workflow.next_tool.empty();
  Routing& routing = update.routing ? *update.routing : update.routing.emplace(state.routing);
  routing.should_continue = goes_over;
  routing.next_agent = goes_over ? std::optional<std::string>(kWorkflowAgent) : std::nullopt;
  const FinalPart part =
      final_part(tool_of(state), workflow, state.asked.request_data, steps_are_users(state));
  // A model that writes has written: its last words are what it was to write.
  const bool written = part == FinalPart::kWrite && !workflow.draft.empty();
  routing.needs_expert_analysis = !goes_over && part != FinalPart::kAssemble && !written;
  Answered& answer = update.answer ? *update.answer : update.answer.emplace(state.answer);
  answer.response_content = assembled_text(state.asked.tool_name, workflow);
  if (goes_over) {
    workflow.parts.push_back({{"tool", state.asked.tool_name}, {"text", answer.response_content}});
  }
  answer.status = Progressing::kCompleted;
}

void go_on_with(const SupervisorState& state, Update& update, const char* agent) {
  Routing& routing = update.routing ? *update.routing : update.routing.emplace(state.routing);
  routing.next_agent = agent;
  routing.should_continue = true;
}

// precommit_words says how the change is seen.
std::string precommit_words(const ToolSpec& tool, bool commands) {
  if (tool.name != "precommit") return "";
  return commands ? "Begin with the commands git status --short and git diff HEAD. "
                  : "Where the change itself is not shown to you, say that the caller has to bring "
                    "the output of git status --short and git diff HEAD. ";
}

// step_question is what a model is asked that makes the next step.
Question step_question(const SupervisorState& state, const ToolSpec& tool, bool commands) {
  Question out;
  out.role = tool.role;
  out.what =
      "Make step " + std::to_string(state.workflow.workflow_step + 1) + " of this. Look for " +
      std::string(tool.asks_for) + ". It is finished when " + std::string(tool.finished_when) +
      ".\nWrite your step in plain Markdown. If you need more before you can finish, or have "
      "findings, end with one fenced json block with any of these members: \"findings\" "
      "([{\"text\", \"file\", \"line\", \"severity\": info, low, medium, high or critical}]), "
      "\"confidence\" (exploring, low, medium, high, very_high, almost_certain, certain), "
      "\"files\" (absolute paths that you want to read), " +
      std::string(commands ? "\"commands\" (command lines whose output you want to see), " : "") +
      "\"next_step_required\" (true or false), \"next_tool\" (the tool to go on with). " +
      std::string(commands ? "" : "No commands run on this server. ") +
      precommit_words(tool, commands) +
      "A reply without such a block is your last step, and the answer.";
  out.form = tool.form;
  return out;
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
                    {"files_left_out", state.sources.files_left_out},
                    {"summary", summary_of(workflow)}};
  // What the caller's step says, and what could not be read of it.
  if (!workflow.steps.empty()) arguments["step"] = workflow.steps.back().text;
  if (state.asked.tool_name == "docgen") {
    arguments["files_done"] = workflow.files_done;
    arguments["files_left"] = files_left(state.sources.files, workflow);
  }
  if (!workflow.problems.empty()) arguments["problems"] = workflow.problems;
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
  // What could not be read was told with the step before.
  update.workflow->problems.clear();
  record(std::move(step), *update.workflow);
  if (state.asked.task.empty()) {
    update.asked = state.asked;
    update.asked->task = update.workflow->steps.front().text;
  }
  return update;
}

// documents_more returns whether docgen has files left that its caller has not documented. Who
// names no files any more, or goes back, ends it all the same.
bool documents_more(const SupervisorState& state, const Workflow& workflow) {
  if (state.asked.tool_name != "docgen" || !steps_are_users(state)) return false;
  const Json& step = state.asked.request_data;
  const Json* const files = find(step, "files");
  const bool ends = files != nullptr && files->is_array() && files->empty();
  if (ends || find(step, "backtrack_from_step") != nullptr) return false;
  return !files_left(state.sources.files, workflow).empty();
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
    if (const auto trouble =
            voices_trouble(update.asked->request_data["models"], context.services())) {
      failed_by(state, *trouble, update);
      co_return update;
    }
  }
  if (!steps_are_users(state) && state.asked.prompt.empty()) {
    const Trouble nothing{"bad_arguments", "There is neither a \"prompt\" nor a \"step\".",
                          "Send \"prompt\" to let the server make the steps, or \"step\", "
                          "\"step_number\", \"total_steps\" and \"next_step_required\" to make "
                          "them yourself."};
    failed_by(state, nothing, update);
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
    const Trouble wrong{"bad_step", "The step cannot be read: " + step.error().message + ".",
                        "Correct it and send it again."};
    failed_by(state, wrong, update);
    co_return update;
  }
  const ToolSpec& tool = tool_of(state);
  Question question = step_question(state, tool, context.services().desk != nullptr);
  std::string name = state.model.model_name;
  Said said = co_await ask_model(context, std::move(name), std::move(question));
  if (said.trouble) {
    Update update;
    note_said(state, said, update);
    update.answer->response_content = assembled_text(state.asked.tool_name, state.workflow);
    failed_by(state, *said.trouble, update);
    co_return update;
  }
  StepInput step = read_model_step(said.text, state.workflow.workflow_step + 1);
  step.by = said.model;
  Update update = take_step(state, std::move(step));
  note_said(state, said, update);
  co_return update;
}

Task<SupervisorResult> validate_findings_node(SupervisorContext& context) {
  Update update;
  update.workflow = context.state().workflow;
  const std::vector<std::string> refused = validate(*update.workflow);
  if (!refused.empty()) {
    std::ranges::copy(refused, std::back_inserter(update.workflow->problems));
  }
  co_return update;
}

Task<SupervisorResult> update_confidence_node(SupervisorContext& context) {
  const SupervisorState& state = context.state();
  Update update;
  Workflow& workflow = update.workflow.emplace(state.workflow);
  if (!workflow.steps.empty()) workflow.confidence_level = workflow.steps.back().confidence;
  const auto made = static_cast<std::int64_t>(workflow.steps.size());
  const std::int64_t steps_max = context.services().limits.model_steps_max;
  const bool goes_on = workflow.next_step_required && !steps_are_users(state);
  if (goes_on && made >= steps_max) {
    workflow.next_step_required = false;
    workflow.stopped = "The work was stopped after " + std::to_string(made) +
                       " steps, which is as many as a model may make in one call.";
  }
  if (!workflow.next_step_required && documents_more(state, workflow)) {
    workflow.next_step_required = true;
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
