// What answers with a model's words.

#include <utility>

#include "core/agents/supervisor/models/token_budget.h"
#include "core/agents/supervisor/nodes/model_question.h"
#include "core/agents/supervisor/nodes/step_input.h"
#include "core/agents/supervisor/nodes/supervisor_nodes.h"
#include "core/agents/supervisor/words/server_words.h"
#include "core/agents/supervisor/words/workflow_words.h"

namespace plumbline::agents::supervisor {

namespace {

using Update = SupervisorState::Update;

constexpr const char* kReassess =
    "\n\n## Before you answer\n\nWeigh this statement yourself, with what you know of the "
    "conversation: Which of its parts do you know to be true, and from where? What would have to "
    "be the case for it to be wrong? If you agreed with it before, was that for a reason or out of "
    "politeness? Then tell the person plainly whether it holds, and why.";

// complete makes `update` that of a request that is answered with `text`.
void complete(const SupervisorState& state, std::string text, Update& update) {
  Answered& answer = update.answer ? *update.answer : update.answer.emplace(state.answer);
  answer.response_content = std::move(text);
  answer.status = Progressing::kCompleted;
}

// reassessment is what `challenge` answers where no model is asked: the statement, and what the
// caller is to do with it.
std::string reassessment(const SupervisorState& state) {
  return "The statement to be challenged:\n\n> " + state.asked.prompt + kReassess;
}

// challenge_alone returns why `challenge` asks no model; nothing: it asks one.
std::optional<std::string> challenge_alone(const SupervisorState& state,
                                           const SupervisorServices& services) {
  if (state.asked.tool_name != "challenge") return std::nullopt;
  if (!bool_or(state.asked.request_data, "use_assistant_model", true)) {
    return "use_assistant_model is false";
  }
  const std::optional<Trouble> trouble = model_trouble(services, state.model.model_name);
  const bool unusable = trouble && trouble->code != "unknown_model";
  return unusable ? std::optional(trouble->message) : std::nullopt;
}

Json expert_json(const SupervisorState& state, const std::string& name, bool asked) {
  return {
      {"asked", asked}, {"model", name}, {"independent", asked && name != state.model.model_name}};
}

// expert_question is what the final part of a workflow asks.
Question expert_question(const SupervisorState& state, const ToolSpec& tool, FinalPart part) {
  Question out;
  out.role = tool.role;
  out.form = tool.form;
  out.deep = true;
  const bool voices = tool.input == ToolInput::kVoices;
  if (voices) {
    out.what = "Judge what was found: the opinions of several models below. Say what to do.";
    out.history = true;
    return out;
  }
  if (part == FinalPart::kWrite) {
    out.what =
        "Write it now, whole, from the steps below: what the task asks for. Add what is "
        "missing in the steps.";
    return out;
  }
  out.role += " Another model or a person has investigated, and you judge what they have found.";
  out.what = "Judge what was found. The investigation is as sure as \"" +
             std::string(name_of(state.workflow.confidence_level)) +
             "\" and does not claim to be certain. Say of each finding whether it is confirmed, "
             "refuted or not decidable, and why; say what was missed, and what you would have to "
             "see to be sure. Then conclude.";
  return out;
}

// voice_heard returns the first model of a consensus that had an opinion.
std::string voice_heard(const SupervisorState& state) {
  for (const Json& opinion : state.opinions) {
    if (string_or(opinion, "error", "").empty()) return string_or(opinion, "model", "");
  }
  return "";
}

// without_expert ends a workflow whose model cannot be asked: with its steps, put together.
void without_expert(const SupervisorState& state, const Trouble& trouble, Update& update) {
  complete(state, assembled_text(state.asked.tool_name, state.workflow), update);
  Json expert = expert_json(state, state.model.model_name, false);
  expert["why_not"] = trouble.message;
  update.answer->response_metadata["expert"] = std::move(expert);
  update.answer->response_metadata["left_out"].push_back(
      "No model has judged this or written anything. " + trouble.message);
}

}  // namespace

Task<SupervisorResult> simple_tool_agent_node(SupervisorContext& context) {
  const SupervisorState& state = context.state();
  SupervisorServices& services = context.services();
  Update update;
  const ToolSpec& tool = tool_of(state);
  if (tool.input == ToolInput::kNothing) {
    complete(state, words_of_server(state.asked.tool_name, services), update);
    update.answer->response_metadata["facts"] = facts_of_server(state.asked.tool_name, services);
    co_return update;
  }
  if (state.asked.prompt.empty()) {
    const Trouble nothing{"bad_arguments", "\"prompt\" is missing or empty.",
                          "Say in it what is asked."};
    failed_by(state, nothing, update);
    co_return update;
  }
  if (const std::optional<std::string> why = challenge_alone(state, services)) {
    complete(state, reassessment(state), update);
    Json expert = expert_json(state, "", false);
    expert["why_not"] = *why;
    update.answer->response_metadata["expert"] = std::move(expert);
    co_return update;
  }
  std::string name = state.model.model_name;
  Question question{.role = std::string(tool.role),
                    .form = std::string(tool.form),
                    .deep = tool.name == "thinkdeep"};
  Said said = co_await ask_model(context, std::move(name), std::move(question));
  note_said(state, said, update);
  if (said.trouble) {
    if (!said.text.empty()) update.answer->response_content = said.text;
    failed_by(state, *said.trouble, update);
    co_return update;
  }
  if (tool.name == "challenge") said.text += kReassess;
  complete(state, std::move(said.text), update);
  co_return update;
}

Task<SupervisorResult> expert_analysis_node(SupervisorContext& context) {
  const SupervisorState& state = context.state();
  SupervisorServices& services = context.services();
  const ToolSpec& tool = tool_of(state);
  Update update;
  update.routing = state.routing;
  update.routing->needs_expert_analysis = false;
  const bool users = steps_are_users(state);
  const FinalPart part = final_part(tool, state.workflow, state.asked.request_data, users);
  const bool judges = part == FinalPart::kJudge;
  const bool asked_for = !string_or(state.asked.request_data, "model", "").empty();
  std::string name = state.model.model_name;
  if (judges) {
    name = choose_expert(name, asked_for, state.tokens.tokens_used, services.models_policy,
                         services.models);
  }
  std::optional<Trouble> unusable = model_trouble(services, name);
  if (unusable && tool.input == ToolInput::kVoices) {
    name = voice_heard(state);
    unusable = model_trouble(services, name);
  }
  if (unusable && users && tool.input != ToolInput::kVoices && unusable->code != "unknown_model") {
    without_expert(state, *unusable, update);
    co_return update;
  }
  Question question = expert_question(state, tool, part);
  std::string who = name;
  Said said = co_await ask_model(context, std::move(who), std::move(question));
  note_said(state, said, update);
  const bool answered = !said.trouble.has_value();
  update.answer->response_metadata["expert_analysis"] = answered;
  update.answer->response_metadata["expert"] = expert_json(state, name, answered);
  if (answered) {
    complete(state, std::move(said.text), update);
  } else {
    update.answer->response_content = assembled_text(state.asked.tool_name, state.workflow);
    failed_by(state, *said.trouble, update);
  }
  co_return update;
}

}  // namespace plumbline::agents::supervisor
