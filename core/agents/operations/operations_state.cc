#include "core/agents/operations/operations_state.h"

#include <utility>

#include "core/base/check.h"

namespace plumbline::agents {

namespace {

template <typename T>
void replace(T& field, std::optional<T>& value) {
  if (value) field = std::move(*value);
}

Json to_json(const Validation& validation) {
  Json out = Json::object();
  out["decision"] = name_of(validation.decision);
  out["reason"] = validation.reason;
  out["risk_flags"] = Json::array();
  for (const Risk risk : validation.assessment.risks) out["risk_flags"].push_back(name_of(risk));
  out["allowed_by_name"] = validation.assessment.allowed_by_name;
  out["arguments"] = validation.extraction.arguments;
  out["missing"] = validation.extraction.missing;
  out["sources"] = Json::object();
  for (const ArgumentSource& source : validation.extraction.sources) {
    out["sources"][source.name] = name_of(source.provenance);
  }
  out["approved"] = validation.approved;
  if (!validation.approval_id.empty()) out["approval_id"] = validation.approval_id;
  return out;
}

Json to_json(const Invocation& invocation) {
  Json out = Json::object();
  out["attempts"] = invocation.attempts;
  if (invocation.result) out["result"] = *invocation.result;
  if (invocation.failure) {
    out["error"]["kind"] = mcp::name_of(invocation.failure->kind);
    out["error"]["code"] = invocation.failure->code;
    out["error"]["message"] = invocation.failure->message;
  }
  return out;
}

Json short_name(const connector::Manifest& manifest, connector::CapabilityRef ref) {
  const connector::Capability& capability = at(manifest, ref);
  Json out = Json::object();
  out["server"] = capability.server;
  out["type"] = name_of(capability.type);
  out["name"] = capability.name;
  return out;
}

Json candidates_json(const OperationsState& state) {
  Json out = Json::array();
  for (const Candidate& candidate : state.candidate_capabilities) {
    Json entry = short_name(state.capability_manifest, candidate.ref);
    entry["score"] = candidate.score;
    entry["tried"] = candidate.tried;
    out.push_back(std::move(entry));
  }
  return out;
}

Json selection_json(const OperationsState& state) {
  const connector::Capability* const selected = state.selected();
  if (selected == nullptr) return nullptr;
  Json out = to_json(*selected);
  out["reason"] = state.selected_capability->reason;
  return out;
}

Json context_json(const ContextUpdate& context) {
  Json out = Json::object();
  out["kind"] = context.kind;
  out["text"] = context.text;
  out["item_count"] = context.item_count;
  return out;
}

}  // namespace

std::string_view name_of(Validation::Decision decision) {
  switch (decision) {
    case Validation::Decision::kRun:
      return "run";
    case Validation::Decision::kReview:
      return "review";
    case Validation::Decision::kUnusable:
      return "unusable";
  }
  check(false, "unknown Decision");
  return {};
}

std::string_view name_of(Invocation::Next next) {
  switch (next) {
    case Invocation::Next::kIntegrate:
      return "integrate";
    case Invocation::Next::kTryAnother:
      return "try_another";
    case Invocation::Next::kReview:
      return "review";
  }
  check(false, "unknown Next");
  return {};
}

void OperationsState::apply(Update&& update) {
  replace(input, update.input);
  if (update.intent) intent = update.intent;
  replace(operation_type, update.operation_type);
  replace(capability_manifest, update.capability_manifest);
  replace(candidate_capabilities, update.candidate_capabilities);
  replace(selected_capability, update.selected_capability);
  replace(capability_validation, update.capability_validation);
  if (update.mcp_request) mcp_request = std::move(update.mcp_request);
  if (update.mcp_result) mcp_result = std::move(update.mcp_result);
  replace(context_update, update.context_update);
  replace(fallback_reason, update.fallback_reason);
  replace(needs_human_review, update.needs_human_review);
  for (std::string& error : update.errors) errors.push_back(std::move(error));
  replace(final_output, update.final_output);
}

const connector::Capability* OperationsState::selected() const {
  return selected_capability ? &at(capability_manifest, selected_capability->ref) : nullptr;
}

Json to_json(const OperationsState& state) {
  Json out = Json::object();
  out["input"] = state.input;
  out["intent"] = state.intent ? Json(name_of(*state.intent)) : Json();
  out["operation_type"] = state.operation_type ? Json(name_of(*state.operation_type)) : "none";
  out["server_preferences"] = state.server_preferences;
  out["capability_manifest"] = to_json(state.capability_manifest);
  out["candidate_capabilities"] = candidates_json(state);
  out["selected_capability"] = selection_json(state);
  out["capability_validation"] = to_json(state.capability_validation);
  out["mcp_request"] = state.mcp_request ? to_json(*state.mcp_request) : Json();
  out["mcp_result"] = state.mcp_result ? to_json(*state.mcp_result) : Json();
  out["context_update"] = state.context_update ? context_json(*state.context_update) : Json();
  out["fallback_reason"] = state.fallback_reason ? Json(*state.fallback_reason) : Json();
  out["needs_human_review"] = state.needs_human_review;
  out["errors"] = state.errors;
  out["final_output"] = state.final_output;
  return out;
}

}  // namespace plumbline::agents
