#include <algorithm>
#include <utility>

#include "core/agents/approvals/shown_text.h"
#include "core/agents/operations/approved_call.h"
#include "core/agents/operations/operations_nodes.h"

namespace plumbline::agents {

namespace {

using Update = OperationsState::Update;

// was_called returns whether the selected capability was invoked. The result in the state may
// still be that of a candidate before it.
bool was_called(const OperationsState& state) {
  return state.selected_capability &&
         std::ranges::any_of(state.candidate_capabilities, [&](const Candidate& candidate) {
           return candidate.tried && candidate.ref == state.selected_capability->ref;
         });
}

// awaits_approval returns whether a person could let the validated call run: it has not run yet,
// and nothing but approval is missing.
bool awaits_approval(const OperationsState& state) {
  const Validation& validation = state.capability_validation;
  return validation.decision == Validation::Decision::kReview && validation.approvable &&
         !validation.approved && !was_called(state);
}

// is_bad_request returns whether nothing was done with the words that were given: they are none, or
// too many.
bool is_bad_request(const OperationsState& state) {
  return state.intent == Intent::kAnswerWithoutMcp && state.fallback_reason &&
         !state.errors.empty();
}

// was_refused returns whether a person has said no to the call.
bool was_refused(const OperationsState& state) {
  const Validation& validation = state.capability_validation;
  return validation.decision == Validation::Decision::kReview && !validation.approvable &&
         !validation.approval_id.empty() && !was_called(state);
}

std::string_view status_of(const OperationsState& state) {
  if (state.needs_human_review) return "needs_review";
  if (state.context_update) return "ok";
  return state.mcp_result || is_bad_request(state) ? "failed" : "answered_without_mcp";
}

// outcome_of returns what is known of what was asked for: "done", "not_done" or "unknown".
std::string_view outcome_of(const OperationsState& state) {
  if (!state.mcp_result || !was_called(state)) return "not_done";
  const Invocation& last = *state.mcp_result;
  if (last.in_doubt) return "unknown";
  const bool answered = last.result && !bool_or(*last.result, "isError", false);
  return answered ? "done" : "not_done";
}

std::string answered(const OperationsState& state) {
  const connector::Capability& capability = *state.selected();
  const ContextUpdate& context = *state.context_update;
  const std::string who = shown_label(capability);
  if (context.kind == "confirmation") return who + " is done.";
  if (context.kind == "prompt") {
    return "The prompt " + who + " is ready (" + std::to_string(context.item_count) +
           (context.item_count == 1 ? " message):\n" : " messages):\n") + context.text;
  }
  if (context.item_count > 1) {
    return who + " returned " + std::to_string(context.item_count) + " items:\n" + context.text;
  }
  return who + " returned:\n" + context.text;
}

std::string reviewed(const OperationsState& state) {
  const connector::Capability* const capability = state.selected();
  const std::string reason =
      approvals::in_one_line(state.fallback_reason.value_or("the request needs a person"));
  if (was_called(state)) {
    const bool sent = state.mcp_result && state.mcp_result->attempts > 0;
    const bool begun = state.mcp_result && state.mcp_result->in_doubt;
    const std::string_view lead = sent    ? "The call was made"
                                  : begun ? "The call was begun"
                                          : "Nothing was sent";
    return std::string(lead) + ", and a person has to look at it: " + reason + ".";
  }
  if (capability == nullptr) return "A person has to look at this: " + reason + ".";
  if (state.capability_validation.approvable) {
    return "I found " + shown_label(*capability) + ", but " + reason +
           " before it runs. Nothing was done.";
  }
  return "I found " + shown_label(*capability) + ", but did not use it: " + reason + ".";
}

// offered says what there is, for somebody whose request nothing fits.
std::string offered(const connector::Manifest& manifest) {
  constexpr std::size_t kNamedMax = 8;
  std::string out;
  std::size_t count = 0;
  for (const connector::ServerManifest& server : manifest.servers) {
    for (const connector::Capability& capability : server.capabilities) {
      if (++count > kNamedMax) continue;
      out += (out.empty() ? "" : ", ") + shown_label(capability);
    }
  }
  if (count > kNamedMax) out += " and " + std::to_string(count - kNamedMax) + " more";
  return out.empty() ? "" : " What there is: " + out + ".";
}

std::string response_of(const OperationsState& state, std::string_view status) {
  if (status == "needs_review") return reviewed(state);
  if (status == "ok") return answered(state);
  const std::string reason = approvals::in_one_line(state.fallback_reason.value_or(""));
  if (status == "failed") return "That did not work: " + reason + ".";
  if (!state.capability_validation.extraction.missing.empty()) {
    return "I need more to go on: " + reason + ". Please say what to use.";
  }
  if (reason.empty()) {
    return "That asks nothing of a server. I find out what the MCP servers of the configuration "
           "offer, use what fits a request, and ask a person before anything is changed.";
  }
  if (state.selected_capability || state.capability_manifest.capability_count() == 0) {
    return "I could not use an external capability: " + reason + ".";
  }
  return "Nothing was done: " + reason + "." + offered(state.capability_manifest);
}

}  // namespace

Json final_output_of(const OperationsState& state) {
  const std::string_view status = status_of(state);
  Json selected;
  if (const connector::Capability* const capability = state.selected()) {
    selected = Json::object();
    add_last(selected, "name", capability->name);
    add_last(selected, "server", capability->server);
    add_last(selected, "type", name_of(capability->type));
  }
  Json out = Json::object();
  if (status == "needs_review" && awaits_approval(state)) {
    add_last(out, "approval_id", state.capability_validation.approval_id);
  }
  add_last(out, "errors", state.errors);
  if (state.fallback_reason) add_last(out, "fallback_reason", *state.fallback_reason);
  if (state.mcp_result) {
    Json summary = Json::object();
    add_last(summary, "attempts", state.mcp_result->attempts);
    add_last(summary, "item_count", state.context_update ? state.context_update->item_count : 0);
    add_last(summary, "success", state.context_update.has_value());
    add_last(out, "mcp_result_summary", std::move(summary));
  }
  add_last(out, "outcome", outcome_of(state));
  add_last(out, "response", response_of(state, status));
  add_last(out, "selected_capability", std::move(selected));
  add_last(out, "status", status);
  return out;
}

Outcome::End end_of(const OperationsState& state) {
  using End = Outcome::End;
  const std::string status = string_or(state.final_output, "status", "");
  if (status == "ok") return End::kDone;
  if (status == "failed") return is_bad_request(state) ? End::kBadRequest : End::kFailed;
  if (status == "needs_review") return was_refused(state) ? End::kFailed : End::kNeedsPerson;
  if (!state.fallback_reason) return End::kDone;
  if (!state.capability_validation.extraction.missing.empty()) return End::kNeedsPerson;
  // What was needed may be with a server that could not be used.
  return state.errors.empty() ? End::kNothingFits : End::kUnreachable;
}

Task<AssistantResult> answer_without_mcp(AssistantContext& context) {
  const OperationsState& state = context.state();
  Update update;
  const bool asked = state.intent != Intent::kAnswerWithoutMcp;
  if (asked && !state.fallback_reason) update.fallback_reason = "no capability can serve this";
  co_return update;
}

Task<AssistantResult> mark_needs_review(AssistantContext& context) {
  const OperationsState& state = context.state();
  Update update;
  if (!awaits_approval(state)) {
    update.needs_human_review = true;
    co_return update;
  }
  if (context.answer() == nullptr) {
    graph::Interrupt interrupt;
    interrupt.payload = review_of(state, state.capability_validation);
    co_return interrupt;
  }
  AssistantServices& services = context.services();
  const std::string id = state.capability_validation.approval_id;
  const approvals::Judged judged =
      judge(action_to_approve(state, state.capability_validation), context.answer());
  const bool approved = judged.standing == approvals::Standing::kApproved;
  if (approved && services.approvals.take(id)) {
    if (services.on_approved) services.on_approved(id);
    Validation validation = state.capability_validation;
    validation.approved = true;
    validation.digest = string_or(*context.answer(), "digest", "");
    update.capability_validation = std::move(validation);
    update.fallback_reason = std::optional<std::string>();
    co_return update;
  }
  update.needs_human_review = true;
  if (approved) update.errors.push_back("approval " + id + " was used before, or never given");
  if (judged.standing == approvals::Standing::kOpen) update.errors.push_back(judged.why);
  if (const auto reason = find_string(*context.answer(), "reason"); reason && !approved) {
    update.fallback_reason = "a person refused: " + *reason;
    update.capability_validation = state.capability_validation;
    update.capability_validation->approvable = false;
  }
  co_return update;
}

Task<AssistantResult> generate_final_response(AssistantContext& context) {
  Update update;
  update.final_output = final_output_of(context.state());
  co_return update;
}

}  // namespace plumbline::agents
