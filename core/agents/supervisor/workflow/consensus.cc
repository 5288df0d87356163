// A consensus: each model is asked in a branch of its own, and all are heard before the judgement.

#include <string>
#include <utility>
#include <variant>

#include "core/agents/supervisor/nodes/model_question.h"
#include "core/agents/supervisor/workflow/workflow_nodes.h"

namespace plumbline::agents::supervisor {

namespace {

std::string role_of_stance(const std::string& stance) {
  const std::string honest = " Stay honest: where the facts are against your side, say so.";
  if (stance == "for") return "You judge a proposal and look for what speaks for it." + honest;
  if (stance == "against") {
    return "You judge a proposal and look for what speaks against it." + honest;
  }
  return "You judge a proposal and weigh what speaks for it and against it.";
}

}  // namespace

Task<SupervisorResult> consult_model_node(SupervisorContext& context) {
  const Json voice = context.input() != nullptr ? *context.input() : Json::object();
  const std::string stance = string_or(voice, "stance", "neutral");
  std::string name = string_or(voice, "model", "");
  Json opinion = {{"model", name}, {"stance", stance}};
  model::Prompt prompt =
      prompt_of(context.state(), role_of_stance(stance), context.state().asked.prompt);
  const model::Completed done = co_await ask_model(context, std::move(name), std::move(prompt));
  if (const auto* const failure = std::get_if<model::Failure>(&done)) {
    opinion["error"] = failure->message;
  } else {
    opinion["text"] = std::get<model::Completion>(done).message.text;
  }
  SupervisorState::Update update;
  update.opinions.push_back(std::move(opinion));
  co_return update;
}

Task<SupervisorResult> join_opinions_node(SupervisorContext& context) {
  const SupervisorState& state = context.state();
  SupervisorState::Update update;
  Workflow& workflow = update.workflow.emplace(state.workflow);
  workflow.workflow_step = workflow.total_steps = 1;
  workflow.next_step_required = false;
  workflow.phase = Phase::kDone;
  std::string failures;
  bool heard = false;
  for (const Json& opinion : state.opinions) {
    const std::string error = string_or(opinion, "error", "");
    heard = heard || error.empty();
    if (error.empty()) continue;
    failures += (failures.empty() ? "" : "; ") + string_or(opinion, "model", "") + ": " + error;
  }
  update.routing = state.routing;
  update.routing->needs_expert_analysis = heard;
  if (!heard) update.answer = failed_answer(state, "no model could be heard: " + failures);
  co_return update;
}

}  // namespace plumbline::agents::supervisor
