#include "core/agents/operations/operations_state.h"

#include <utility>

#include "core/base/check.h"

namespace plumbline::agents {

namespace {

template <typename T>
void replace(T& field, std::optional<T>& value) {
  if (value) field = std::move(*value);
}

Json to_json(Validation validation) {
  Json sources = Json::object();
  for (ArgumentSource& source : validation.extraction.sources) {
    sources[std::move(source.name)] = name_of(source.provenance);
  }
  Json risks = Json::array();
  for (const Risk risk : validation.assessment.risks) risks.push_back(name_of(risk));
  Json out = Json::object();
  add_last(out, "allowed_by_name", validation.assessment.allowed_by_name);
  if (!validation.approval_id.empty()) {
    add_last(out, "approval_id", std::move(validation.approval_id));
  }
  add_last(out, "approved", validation.approved);
  add_last(out, "arguments", std::move(validation.extraction.arguments));
  add_last(out, "decision", name_of(validation.decision));
  add_last(out, "missing", std::move(validation.extraction.missing));
  add_last(out, "reason", std::move(validation.reason));
  add_last(out, "risk_flags", std::move(risks));
  add_last(out, "sources", std::move(sources));
  return out;
}

Json to_json(Invocation invocation) {
  Json out = Json::object();
  add_last(out, "attempts", invocation.attempts);
  if (invocation.failure) {
    Json error = Json::object();
    add_last(error, "code", invocation.failure->code);
    add_last(error, "kind", mcp::name_of(invocation.failure->kind));
    add_last(error, "message", std::move(invocation.failure->message));
    add_last(out, "error", std::move(error));
  }
  if (invocation.result) add_last(out, "result", *std::move(invocation.result));
  return out;
}

Json short_name(const connector::Manifest& manifest, connector::CapabilityRef ref) {
  const connector::Capability& capability = at(manifest, ref);
  Json out = Json::object();
  add_last(out, "name", capability.name);
  add_last(out, "server", capability.server);
  add_last(out, "type", name_of(capability.type));
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

Json context_json(ContextUpdate context) {
  Json out = Json::object();
  add_last(out, "item_count", context.item_count);
  add_last(out, "kind", std::move(context.kind));
  add_last(out, "text", std::move(context.text));
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

Json to_json(OperationsState state) {
  Json candidates = candidates_json(state);
  Json selection = selection_json(state);
  Json out = Json::object();
  add_last(out, "candidate_capabilities", std::move(candidates));
  add_last(out, "capability_manifest", to_json(std::move(state.capability_manifest)));
  add_last(out, "capability_validation", to_json(std::move(state.capability_validation)));
  add_last(out, "context_update",
           state.context_update ? context_json(*std::move(state.context_update)) : Json());
  add_last(out, "errors", std::move(state.errors));
  add_last(out, "fallback_reason",
           state.fallback_reason ? Json(*std::move(state.fallback_reason)) : Json());
  add_last(out, "final_output", std::move(state.final_output));
  add_last(out, "input", std::move(state.input));
  add_last(out, "intent", state.intent ? Json(name_of(*state.intent)) : Json());
  add_last(out, "mcp_request", state.mcp_request ? to_json(*std::move(state.mcp_request)) : Json());
  add_last(out, "mcp_result", state.mcp_result ? to_json(*std::move(state.mcp_result)) : Json());
  add_last(out, "needs_human_review", state.needs_human_review);
  add_last(out, "operation_type",
           state.operation_type ? Json(name_of(*state.operation_type)) : Json("none"));
  add_last(out, "selected_capability", std::move(selection));
  add_last(out, "server_preferences", std::move(state.server_preferences));
  return out;
}

}  // namespace plumbline::agents
