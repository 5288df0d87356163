#include "core/agents/operations/operations_state.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/json/archive.h"

namespace plumbline::agents {

namespace {

// The fields of every part of the state.
struct OperationsFields {
  static constexpr Intent last(Intent /*of*/) { return Intent::kAnswerWithoutMcp; }
  static constexpr connector::CapabilityType last(connector::CapabilityType /*of*/) {
    return connector::CapabilityType::kPrompt;
  }
  static constexpr connector::Drift last(connector::Drift /*of*/) {
    return connector::Drift::kChanged;
  }
  static constexpr Risk last(Risk /*of*/) { return Risk::kDenied; }
  static constexpr Provenance last(Provenance /*of*/) { return Provenance::kSchemaDefault; }
  static constexpr Validation::Decision last(Validation::Decision /*of*/) {
    return Validation::Decision::kUnusable;
  }
  static constexpr Invocation::Next last(Invocation::Next /*of*/) {
    return Invocation::Next::kReview;
  }
  static constexpr mcp::Failure::Kind last(mcp::Failure::Kind /*of*/) {
    return mcp::Failure::Kind::kRefused;
  }

  static void fields(auto& archive, Some<connector::Capability> auto& part) {
    archive("type", part.type);
    archive("server", part.server);
    archive("name", part.name);
    archive("title", part.title);
    archive("description", part.description);
    archive("uri", part.uri);
    archive("mime_type", part.mime_type);
    archive("input_schema", part.input_schema);
    archive("output_schema", part.output_schema);
    archive("annotations", part.annotations);
    archive("as_task", part.as_task);
    archive("drift", part.drift);
    archive("flaws", part.flaws);
  }

  static void fields(auto& archive, Some<connector::ServerManifest> auto& part) {
    archive("server", part.server);
    archive("name", part.name);
    archive("version", part.version);
    archive("revision", part.revision);
    archive("place", part.place);
    archive("place_digest", part.place_digest);
    archive("capabilities", part.capabilities);
  }

  static void fields(auto& archive, Some<connector::Manifest> auto& part) {
    archive("servers", part.servers);
  }

  static void fields(auto& archive, Some<connector::CapabilityRef> auto& part) {
    archive("server", part.server);
    archive("capability", part.capability);
  }

  static void fields(auto& archive, Some<Candidate> auto& part) {
    archive("ref", part.ref);
    archive("score", part.score);
    archive("tried", part.tried);
  }

  static void fields(auto& archive, Some<Selection> auto& part) {
    archive("ref", part.ref);
    archive("reason", part.reason);
  }

  static void fields(auto& archive, Some<Assessment> auto& part) {
    archive("risks", part.risks);
    archive("allowed_by_name", part.allowed_by_name);
    archive("changes_the_world", part.changes_the_world);
  }

  static void fields(auto& archive, Some<ArgumentSource> auto& part) {
    archive("name", part.name);
    archive("provenance", part.provenance);
  }

  static void fields(auto& archive, Some<Extraction> auto& part) {
    archive("arguments", part.arguments);
    archive("sources", part.sources);
    archive("missing", part.missing);
  }

  static void fields(auto& archive, Some<Validation> auto& part) {
    archive("decision", part.decision);
    archive("assessment", part.assessment);
    archive("extraction", part.extraction);
    archive("reason", part.reason);
    archive("approvable", part.approvable);
    archive("approved", part.approved);
    archive("approval_id", part.approval_id);
    archive("digest", part.digest);
  }

  static void fields(auto& archive, Some<connector::McpRequest> auto& part) {
    archive("server", part.server);
    archive("method", part.method);
    archive("params", part.params);
    archive("as_task", part.as_task);
  }

  static void fields(auto& archive, Some<mcp::Failure> auto& part) {
    archive("kind", part.kind);
    archive("code", part.code);
    archive("message", part.message);
    archive("data", part.data);
  }

  static void fields(auto& archive, Some<Invocation> auto& part) {
    archive("result", part.result);
    archive("failure", part.failure);
    archive("next", part.next);
    archive("attempts", part.attempts);
    archive("in_doubt", part.in_doubt);
  }

  static void fields(auto& archive, Some<ContextUpdate> auto& part) {
    archive("kind", part.kind);
    archive("text", part.text);
    archive("item_count", part.item_count);
  }

  // What a state and an update of it have both.
  static void shared_fields(auto& archive, auto& part) {
    archive("input", part.input);
    archive("intent", part.intent);
    archive("operation_type", part.operation_type);
    archive("capability_manifest", part.capability_manifest);
    archive("candidate_capabilities", part.candidate_capabilities);
    archive("selected_capability", part.selected_capability);
    archive("capability_validation", part.capability_validation);
    archive("mcp_request", part.mcp_request);
    archive("mcp_result", part.mcp_result);
    archive("context_update", part.context_update);
    archive("fallback_reason", part.fallback_reason);
    archive("needs_human_review", part.needs_human_review);
    archive("errors", part.errors);
    archive("final_output", part.final_output);
  }

  static void fields(auto& archive, Some<OperationsState> auto& part) {
    shared_fields(archive, part);
    archive("server_preferences", part.server_preferences);
  }

  static void fields(auto& archive, Some<OperationsState::Update> auto& part) {
    shared_fields(archive, part);
  }
};

bool names(const connector::Manifest& manifest, connector::CapabilityRef ref) {
  return ref.server < manifest.servers.size() &&
         ref.capability < manifest.servers[ref.server].capabilities.size();
}

// refers_well returns whether whatever the state refers to is there.
bool refers_well(const OperationsState& state) {
  for (const Candidate& candidate : state.candidate_capabilities) {
    if (!names(state.capability_manifest, candidate.ref)) return false;
  }
  return !state.selected_capability ||
         names(state.capability_manifest, state.selected_capability->ref);
}

using Writer = JsonWriter<OperationsFields>;
using Reader = JsonReader<OperationsFields>;

}  // namespace

Json OperationsState::to_json() const { return Writer::write(*this); }

Result<OperationsState> OperationsState::from_json(const Json& saved) {
  constexpr std::string_view kWhat = "the saved state of the operations assistant";
  Result<OperationsState> state = Reader::read<OperationsState>(saved, kWhat);
  if (!state.ok() || refers_well(state.value())) return state;
  return Error{ErrorCode::kInvalidInput, std::string(kWhat) + " has no good \"ref\""};
}

Json OperationsState::Update::to_json() const { return Writer::write(*this); }

Result<OperationsState::Update> OperationsState::Update::from_json(const Json& saved) {
  return Reader::read<Update>(saved, "the saved update of the operations assistant");
}

}  // namespace plumbline::agents
