#include <string>

#include <gtest/gtest.h>

#include "core/agents/operations/assistant_fixture.h"
#include "core/agents/operations/operations_state.h"

namespace plumbline::agents {
namespace {

// full returns a state in which nothing is left at its default.
OperationsState full() {
  OperationsState state;
  state.input = "Send it";
  state.intent = Intent::kExecuteTool;
  state.operation_type = connector::CapabilityType::kTool;
  state.server_preferences = {"email"};
  connector::Capability send =
      connector::tool("email", "send_email", "Send an email.", R"({"to": {"type": "string"}})");
  send.drift = connector::Drift::kChanged;
  send.as_task = true;
  send.flaws = {"a flaw"};
  send.output_schema = connector::json(R"({"type": "object"})");
  state.capability_manifest.servers = {
      {"email", "Mail", "1.2", "2025-11-25", {send}, "node mail.mjs", "12ab"}};
  state.candidate_capabilities = {{{0, 0}, 7, true}};
  state.selected_capability = Selection{{0, 0}, "it fits"};
  Validation& validation = state.capability_validation;
  validation.decision = Validation::Decision::kReview;
  validation.assessment.risks = {Risk::kSendsMessages, Risk::kDrifted};
  validation.assessment.changes_the_world = true;
  validation.extraction.arguments["to"] = "bob";
  validation.extraction.sources = {{"to", Provenance::kConfiguration}};
  validation.extraction.missing = {"subject"};
  validation.reason = "it sends";
  validation.approvable = true;
  validation.approval_id = "email/send_email#1";
  state.mcp_request = connector::McpRequest{"email", "tools/call",
                                            connector::json(R"({"name": "send_email"})"), true};
  Invocation invocation;
  invocation.failure = mcp::Failure(-32'000, "no", connector::json(R"({"status": 503})"));
  invocation.next = Invocation::Next::kReview;
  invocation.attempts = 2;
  invocation.in_doubt = true;
  state.mcp_result = invocation;
  state.context_update = ContextUpdate{"text", "done", 3};
  state.fallback_reason = "why";
  state.needs_human_review = true;
  state.errors = {"one", "two"};
  state.final_output = connector::json(R"({"status": "ok"})");
  return state;
}

TEST(OperationsSavedTest, AStateComesBackAsItWas) {
  const Json saved = full().to_json();
  const Result<OperationsState> loaded = OperationsState::from_json(saved);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(loaded.value().to_json(), saved);
  EXPECT_EQ(to_json(loaded.value()), to_json(full()));
  EXPECT_EQ(loaded.value().mcp_result->failure->data, connector::json(R"({"status": 503})"));
  EXPECT_EQ(loaded.value().capability_manifest.servers[0].place, "node mail.mjs");
  EXPECT_EQ(loaded.value().selected()->drift, connector::Drift::kChanged);
}

TEST(OperationsSavedTest, AnEmptyStateComesBackAsItWas) {
  const Json saved = OperationsState().to_json();
  const Result<OperationsState> loaded = OperationsState::from_json(saved);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(loaded.value().to_json(), saved);
  EXPECT_FALSE(loaded.value().intent);
}

TEST(OperationsSavedTest, TheFirstFieldThatDoesNotFitIsNamed) {
  const auto refused = [](const std::string& pointer, const Json& value) {
    Json saved = full().to_json();
    saved[Json::json_pointer(pointer)] = value;
    const Result<OperationsState> loaded = OperationsState::from_json(saved);
    return loaded.ok() ? "" : loaded.error().message;
  };
  const std::string told = "the saved state of the operations assistant has no good ";
  EXPECT_EQ(refused("/intent", Json::array({"dance"})), told + "\"intent\"");
  EXPECT_EQ(refused("/mcp_result/0/attempts", "two"), told + "\"attempts\"");
  EXPECT_EQ(refused("/selected_capability/0/ref/server", 9), told + "\"ref\"");
  EXPECT_FALSE(OperationsState::from_json(Json::object()).ok());
  EXPECT_FALSE(OperationsState::from_json(nullptr).ok());
}

}  // namespace
}  // namespace plumbline::agents
