// OperationsState is everything one request of the operations assistant knows: fifteen fields,
// which nodes read, and which only their Updates change.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/agents/operations/arguments/arguments.h"
#include "core/agents/operations/intent.h"
#include "core/agents/policy/policy.h"
#include "core/base/result.h"
#include "core/connector/capability.h"
#include "core/connector/mcp_client.h"
#include "core/json/json.h"
#include "core/mcp/protocol/failure.h"

namespace plumbline::agents {

// Candidate is a capability that might serve the request, best first.
struct Candidate {
  connector::CapabilityRef ref;
  int score = 0;
  bool tried = false;  // Was invoked and failed.
};

// Selection is the chosen capability and why.
struct Selection {
  connector::CapabilityRef ref;
  std::string reason;
};

// Validation is whether the selection may run, with which arguments.
struct Validation {
  enum class Decision {
    kRun,       // Allowed, complete, readable.
    kReview,    // A person must decide.
    kUnusable,  // Harmless, but it cannot serve.
  };
  Decision decision = Decision::kUnusable;
  Assessment assessment;
  Extraction extraction;
  std::string reason;       // Of kReview and kUnusable, for people.
  bool approvable = false;  // Approval would make it run.
  bool approved = false;    // A person has approved this very call.
  std::string approval_id;  // Names the call: server, tool, arguments, and what the tool is.
  std::string digest;       // Of what was approved.
};

// Invocation is what came of the last call.
struct Invocation {
  std::optional<Json> result;  // The result object, isError or not.
  std::optional<mcp::Failure> failure;
  enum class Next {
    kIntegrate,
    kTryAnother,  // Recoverable, and another candidate is left.
    kReview,      // Security, repeated transport errors, or it may have happened.
  };
  Next next = Next::kIntegrate;
  int attempts = 0;       // Requests sent by this visit of the node.
  bool in_doubt = false;  // It failed, and may have changed the world all the same.
};

// name_of returns "run", "review" or "unusable"; "integrate", "try_another" or "review".
std::string_view name_of(Validation::Decision decision);
std::string_view name_of(Invocation::Next next);

// ContextUpdate is what the model may see of a result: text only, and bounded.
struct ContextUpdate {
  std::string kind;  // "text", "records", "confirmation" or "prompt".
  std::string text;
  std::int64_t item_count = 0;
};

struct OperationsState {
  struct Update;

  std::string input;
  std::optional<Intent> intent;
  std::optional<connector::CapabilityType> operation_type;
  std::vector<std::string> server_preferences;
  connector::Manifest capability_manifest;
  std::vector<Candidate> candidate_capabilities;
  std::optional<Selection> selected_capability;
  Validation capability_validation;
  std::optional<connector::McpRequest> mcp_request;
  std::optional<Invocation> mcp_result;
  std::optional<ContextUpdate> context_update;
  std::optional<std::string> fallback_reason;
  bool needs_human_review = false;
  std::vector<std::string> errors;
  Json final_output;  // null until generate_final_response.

  // apply is the reducer: errors are appended, every other field is replaced when named.
  void apply(Update&& update);

  // to_json and from_json go to JSON and back without loss: what a checkpoint keeps. kInvalidInput
  // names the field that is missing or wrong. kVersion is of that JSON.
  static constexpr std::int64_t kVersion = 3;
  Json to_json() const;
  static Result<OperationsState> from_json(const Json& saved);

  // selected returns the chosen capability, nullptr before there is one.
  const connector::Capability* selected() const;
};

struct OperationsState::Update {
  std::optional<std::string> input;
  std::optional<Intent> intent;
  std::optional<std::optional<connector::CapabilityType>> operation_type;
  std::optional<connector::Manifest> capability_manifest;
  std::optional<std::vector<Candidate>> candidate_capabilities;
  std::optional<std::optional<Selection>> selected_capability;
  std::optional<Validation> capability_validation;
  std::optional<connector::McpRequest> mcp_request;
  std::optional<Invocation> mcp_result;
  std::optional<std::optional<ContextUpdate>> context_update;
  std::optional<std::optional<std::string>> fallback_reason;
  std::optional<bool> needs_human_review;
  std::vector<std::string> errors;
  std::optional<Json> final_output;

  Json to_json() const;
  static Result<Update> from_json(const Json& saved);
};

// to_json returns all fifteen fields under their names, null where nothing is known yet: what
// people and reports see.
Json to_json(OperationsState state);

}  // namespace plumbline::agents
