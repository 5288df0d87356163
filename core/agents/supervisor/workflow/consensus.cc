// A consensus: each model is asked in a branch of its own, blind to the others, and all are heard
// before the judgement.

#include <algorithm>
#include <string>
#include <utility>

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

// only_opinion is the answer where one model alone was heard: there is nothing to be weighed.
std::string only_opinion(const std::vector<Json>& opinions) {
  const auto heard = std::ranges::find_if(
      opinions, [](const Json& each) { return string_or(each, "error", "").empty(); });
  return "Only " + string_or(*heard, "model", "") +
         " was heard, so there is nothing to weigh. It says:\n\n" + string_or(*heard, "text", "");
}

}  // namespace

Task<SupervisorResult> consult_model_node(SupervisorContext& context) {
  const Json voice = context.input() != nullptr ? *context.input() : Json::object();
  const std::string stance = string_or(voice, "stance", "neutral");
  std::string name = string_or(voice, "model", "");
  Json opinion = {{"model", name}, {"stance", stance}};
  Question question;
  const std::string own = string_or(voice, "stance_prompt", "");
  question.role = own.empty() ? role_of_stance(stance) : own;
  question.form = "End with your verdict in one sentence, and say how sure you are of it.";
  question.history = false;
  question.work = false;
  const Said said = co_await ask_model(context, std::move(name), std::move(question));
  if (said.trouble) {
    opinion["error"] = said.trouble->message;
  } else {
    opinion["text"] = said.text;
  }
  opinion["usage"] = usage_json(said);
  if (!said.left_out.empty()) opinion["left_out"] = said.left_out;
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
  update.tokens = state.tokens;
  std::string failures;
  std::size_t heard = 0;
  for (const Json& opinion : state.opinions) {
    if (const Json* const usage = find(opinion, "usage")) add_usage(update.tokens->usage, *usage);
    const std::string error = string_or(opinion, "error", "");
    if (error.empty()) ++heard;
    if (error.empty()) continue;
    failures += (failures.empty() ? "" : " ") + error;
  }
  update.routing = state.routing;
  update.routing->needs_expert_analysis = heard > 1;
  if (heard == 1) {
    Answered& answer = update.answer.emplace(state.answer);
    answer.response_content = only_opinion(state.opinions);
    answer.status = Progressing::kCompleted;
  } else if (heard == 0) {
    failed_by(state, {"provider", "No model could be heard. " + failures, "Ask other models."},
              update);
  }
  co_return update;
}

}  // namespace plumbline::agents::supervisor
