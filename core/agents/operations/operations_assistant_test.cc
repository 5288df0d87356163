// The whole graph over a recording client: each way through it, and what it never does.

#include "core/agents/operations/operations_assistant.h"

#include <set>

#include "core/agents/approvals/approval.h"
#include "core/agents/operations/assistant_fixture.h"
#include "core/graph/drawing.h"

namespace plumbline::agents {
namespace {

using mcp::Failure;
using std::chrono::milliseconds;
using std::chrono::seconds;

connector::Capability list_directory(std::string server = "files") {
  return connector::tool(std::move(server), "list_directory", "List the files of a directory.",
                         R"({"path": {"type": "string", "default": "."}})", "path");
}

connector::Capability send_email() {
  return connector::tool("email", "send_email", "Send an email to somebody.",
                         R"({"to": {"type": "string"}, "subject": {"type": "string"}})",
                         "to subject");
}

connector::Capability search_tickets(std::string server = "tickets") {
  return connector::tool(std::move(server), "search_tickets", "Search support tickets.",
                         R"({"status": {"type": "string", "enum": ["open", "closed"]},
                  "priority": {"type": "string", "enum": ["low", "high"]}})");
}

bool approve_nothing(const Json&) { return false; }

TEST_F(AssistantTest, ListsADirectoryOnTheHappyPath) {
  offer({list_directory(), send_email()});
  mcp_.replies.emplace_back(connector::text_result("sample.txt\nnotes.md"));
  const AssistantOutcome outcome = ask_for("List the files in the managed project folder.");
  const std::vector<std::string_view> route = {
      "preprocess_request",    "classify_intent",     "discover_capabilities",
      "select_capability",     "validate_capability", "build_mcp_request",
      "invoke_mcp_capability", "integrate_result",    "generate_final_response"};
  EXPECT_EQ(outcome.route, route);
  EXPECT_EQ(status(outcome), "ok");
  EXPECT_EQ(selected(outcome), "files/list_directory");
  EXPECT_NE(response(outcome).find("sample.txt"), std::string::npos);
  EXPECT_EQ(int_or(outcome.state.final_output["mcp_result_summary"], "item_count", 0), 2);
  EXPECT_TRUE(outcome.state.final_output["errors"].empty());
  ASSERT_EQ(mcp_.requests.size(), 1U);
  EXPECT_EQ(dump_json(to_json(mcp_.requests[0])),
            R"({"method":"tools/call","params":{"arguments":{"path":"."},"name":"list_directory"},)"
            R"("server":"files"})");
}

TEST_F(AssistantTest, ReadsATextResource) {
  offer({list_directory(),
         connector::resource("files", "notes.md", "file:///notes.md", "text/markdown")});
  mcp_.replies.emplace_back(
      connector::json(R"({"contents": [{"uri": "file:///notes.md", "text": "Buy milk"}]})"));
  const AssistantOutcome outcome = ask_for("Read notes.md");
  EXPECT_EQ(status(outcome), "ok");
  EXPECT_EQ(outcome.state.intent, Intent::kReadResource);
  ASSERT_EQ(mcp_.requests.size(), 1U);
  EXPECT_EQ(mcp_.requests[0].method, "resources/read");
  EXPECT_EQ(outcome.state.context_update->text, "Buy milk");
}

TEST_F(AssistantTest, UsesAPromptAsAPromptAndNotAsATool) {
  connector::Capability prompt =
      connector::tool("prompts", "incident_summary", "Summarizes an incident.");
  prompt.type = connector::CapabilityType::kPrompt;
  offer({connector::tool("prompts", "summarize_incident", "Summarize an incident."), prompt});
  mcp_.replies.emplace_back(connector::json(
      R"({"messages": [{"role": "user", "content": {"type": "text", "text": "Say why"}}]})"));
  const AssistantOutcome outcome = ask_for("Use the incident summary prompt");
  EXPECT_EQ(status(outcome), "ok");
  EXPECT_EQ(mcp_.requests.at(0).method, "prompts/get");
  EXPECT_EQ(outcome.state.selected()->type, connector::CapabilityType::kPrompt);
  EXPECT_EQ(outcome.state.context_update->kind, "prompt");
}

TEST_F(AssistantTest, AnswersSmallTalkWithoutDiscovery) {
  const AssistantOutcome outcome = ask_for("Hello!");
  EXPECT_EQ(status(outcome), "answered_without_mcp");
  EXPECT_EQ(mcp_.discoveries, 0);
  EXPECT_TRUE(visited(outcome, "answer_without_mcp"));
}

TEST_F(AssistantTest, BlankAndOverlongInputFailsBeforeAnythingElse) {
  for (const std::string& input : {std::string(" \t\n "), std::string(20'000, 'x')}) {
    const AssistantOutcome outcome = ask_for(input);
    EXPECT_EQ(status(outcome), "failed");
    EXPECT_EQ(outcome.route.size(), 2U);
    EXPECT_EQ(outcome.state.errors.size(), 1U);
    EXPECT_EQ(mcp_.discoveries, 0);
    EXPECT_LE(outcome.state.input.size(), 100U);
  }
}

TEST_F(AssistantTest, WithoutServersSaysSoAndEnds) {
  const AssistantOutcome outcome = ask_for("List the files");
  EXPECT_EQ(status(outcome), "answered_without_mcp");
  EXPECT_EQ(reason(outcome), "no MCP server is configured");
}

TEST_F(AssistantTest, AMalformedManifestIsAnErrorAndInvokesNothing) {
  mcp_.discovery.problems.push_back({"files", mcp::FailureClass::kProtocol, "tools is no array"});
  const AssistantOutcome outcome = ask_for("List the files");
  EXPECT_EQ(status(outcome), "answered_without_mcp");
  ASSERT_EQ(outcome.state.errors.size(), 1U);
  EXPECT_NE(outcome.state.errors[0].find("tools is no array"), std::string::npos);
  EXPECT_TRUE(mcp_.requests.empty());
}

TEST_F(AssistantTest, OneServerDownDoesNotCostTheOther) {
  offer({list_directory()});
  mcp_.discovery.problems.push_back({"mail", mcp::FailureClass::kAuthentication, "who are you"});
  const AssistantOutcome outcome = ask_for("List the files in the folder");
  EXPECT_EQ(status(outcome), "ok");
  EXPECT_EQ(outcome.state.errors,
            std::vector<std::string>{"security: server \"mail\": who are you"});
}

TEST_F(AssistantTest, OnlyIrrelevantCapabilitiesAreNotUsed) {
  offer({connector::tool("weather", "get_weather", "Get the weather of a city.")});
  const AssistantOutcome outcome = ask_for("List the files in the folder");
  EXPECT_EQ(status(outcome), "answered_without_mcp");
  EXPECT_EQ(selected(outcome), "");
  EXPECT_TRUE(mcp_.requests.empty());
}

TEST_F(AssistantTest, MissingArgumentsAskForMoreAndAreNeverInvented) {
  offer({connector::tool("greeter", "greet_person", "Greet a person by name.",
                         R"({"name": {"type": "string"}})", "name")});
  const AssistantOutcome outcome = ask_for("Please use the greet_person tool");
  EXPECT_EQ(status(outcome), "answered_without_mcp");
  EXPECT_NE(response(outcome).find("name"), std::string::npos);
  EXPECT_TRUE(mcp_.requests.empty());
  EXPECT_EQ(status(ask_for("Greet Ada Lovelace")), "ok");
  ASSERT_EQ(mcp_.requests.size(), 1U);
  EXPECT_EQ(dump_json(mcp_.requests.at(0).params["arguments"]), R"({"name":"Ada Lovelace"})");
}

TEST_F(AssistantTest, MissingArgumentsOfAHighImpactToolGoToReviewWithoutAnOffer) {
  offer({send_email()});
  bool was_asked = false;
  const AssistantOutcome outcome = ask_for("Send an email", [&](const Json&) {
    was_asked = true;
    return true;
  });
  EXPECT_EQ(status(outcome), "needs_review");
  EXPECT_FALSE(was_asked);
  EXPECT_TRUE(mcp_.requests.empty());
}

TEST_F(AssistantTest, ARefusedReviewSendsNothing) {
  offer({send_email()});
  for (const Approves& reviewer : {Approves(), Approves(approve_nothing)}) {
    const AssistantOutcome outcome = ask_for("Email the report to finance", reviewer);
    EXPECT_EQ(status(outcome), "needs_review");
    EXPECT_EQ(selected(outcome), "email/send_email");
    EXPECT_EQ(reason(outcome), "sending external messages requires approval");
    EXPECT_TRUE(outcome.state.final_output.contains("approval_id"));
    EXPECT_TRUE(mcp_.requests.empty());
  }
}

TEST_F(AssistantTest, AnApprovedReviewRunsExactlyOnce) {
  offer({send_email()});
  Json review;
  std::vector<std::string> approved;
  services_.on_approved = [&](const std::string& id) { approved.push_back(id); };
  const AssistantOutcome outcome = ask_for("Email the report to finance", [&](const Json& asked) {
    review = asked;
    return true;
  });
  EXPECT_EQ(status(outcome), "ok");
  ASSERT_EQ(mcp_.requests.size(), 1U);
  EXPECT_EQ(dump_json(mcp_.requests[0].params["arguments"]),
            R"({"subject":"report","to":"finance"})");
  EXPECT_EQ(approved, std::vector<std::string>{string_or(review, "approval_id", "")});
  EXPECT_EQ(review["risks"], connector::json(R"(["sends_messages"])"));
  EXPECT_FALSE(outcome.state.final_output.contains("approval_id"));
}

TEST_F(AssistantTest, AReplayedApprovalDoesNothing) {
  offer({send_email()});
  const AssistantGraph& graph = operations_assistant();
  OperationsState state = initial_state("Email the report to finance", {});
  const AssistantOutcome waiting = finish(graph.run(state, {}, services_, loop_));
  ASSERT_EQ(waiting.status, AssistantOutcome::kInterrupted);
  services_.approvals.grant(string_or(waiting.snapshot->open().front().what, "approval_id", ""));
  for (const std::string_view expected : {"ok", "needs_review"}) {
    Json yes = approvals::answer_to(waiting.snapshot->open().front().what, approval(true));
    const AssistantOutcome outcome =
        finish(graph.resume(*waiting.snapshot, yes, {}, services_, loop_));
    EXPECT_EQ(status(outcome), expected);
    EXPECT_EQ(mcp_.requests.size(), 1U);
  }
}

TEST_F(AssistantTest, AnApprovalThatNobodyGaveDoesNothing) {
  offer({send_email()});
  OperationsState state = initial_state("Email the report to finance", {});
  const AssistantOutcome waiting = finish(operations_assistant().run(state, {}, services_, loop_));
  ASSERT_EQ(waiting.status, AssistantOutcome::kInterrupted);
  Json yes = approvals::answer_to(waiting.snapshot->open().front().what, approval(true));
  const AssistantOutcome outcome =
      finish(operations_assistant().resume(*waiting.snapshot, yes, {}, services_, loop_));
  EXPECT_EQ(status(outcome), "needs_review");
  EXPECT_TRUE(mcp_.requests.empty());
}

TEST_F(AssistantTest, WhatThePolicyAllowsRunsAndWhatItDeniesIsNeverOffered) {
  offer({send_email()});
  allow(R"({"plumbline_policy": 1, "allow": ["email/*"]})");
  EXPECT_EQ(status(ask_for("Email the report to finance")), "ok");
  allow(R"({"plumbline_policy": 1, "deny": ["email/*"]})");
  const auto approve_all = [](const Json&) { return true; };
  const AssistantOutcome outcome = ask_for("Email the report to finance", approve_all);
  EXPECT_EQ(status(outcome), "needs_review");
  EXPECT_EQ(mcp_.requests.size(), 1U);
}

TEST_F(AssistantTest, SensitiveArgumentsNeedAPerson) {
  offer({connector::tool("files", "read_file", "Read a file.", R"({"path": {"type": "string"}})",
                         "path")});
  const AssistantOutcome outcome = ask_for("Read the file passwords.txt");
  EXPECT_EQ(status(outcome), "needs_review");
  EXPECT_EQ(reason(outcome), "access to sensitive data requires approval");
  EXPECT_TRUE(mcp_.requests.empty());
}

TEST_F(AssistantTest, TwoActionsThatFitEquallyAreNotGuessedBetween) {
  connector::Capability other = send_email();
  other.server = "mail2";
  offer({send_email(), other});
  const AssistantOutcome outcome =
      ask_for("Email the report to finance", [](const Json&) { return true; });
  EXPECT_EQ(status(outcome), "needs_review");
  EXPECT_EQ(reason(outcome).substr(0, 9), "ambiguous");
  EXPECT_TRUE(mcp_.requests.empty());
}

TEST_F(AssistantTest, ABinaryResourceIsUnusableBeforeItIsRead) {
  offer({connector::resource("files", "manual.pdf", "file:///manual.pdf", "application/pdf",
                             "The manual.")});
  const AssistantOutcome outcome = ask_for("Read manual.pdf");
  EXPECT_EQ(status(outcome), "answered_without_mcp");
  EXPECT_NE(reason(outcome).find("application/pdf"), std::string::npos);
  EXPECT_TRUE(mcp_.requests.empty());
}

TEST_F(AssistantTest, AListWithoutTheFiltersAskedForIsNotCalled) {
  offer({connector::tool("tickets", "list_tickets", "List all support tickets.")});
  const AssistantOutcome outcome = ask_for("Summarize the open high-priority support tickets.");
  EXPECT_EQ(status(outcome), "answered_without_mcp");
  EXPECT_NE(reason(outcome).find("cannot filter by open, high"), std::string::npos);
  offer({search_tickets()});
  EXPECT_EQ(status(ask_for("Summarize the open high-priority support tickets.")), "ok");
  EXPECT_EQ(dump_json(mcp_.requests.at(0).params["arguments"]),
            R"({"priority":"high","status":"open"})");
}

TEST_F(AssistantTest, UnreadableResultsStopBeforeTheContext) {
  offer({list_directory()});
  services_.limits.context_bytes_max = 100;
  const std::vector<std::pair<Json, std::string>> results = {
      {connector::json(R"({"content": [{"type": "resource", "resource":
                {"uri": "a", "mimeType": "application/pdf", "blob": "JVBERi0="}}]})"),
       "opaque"},
      {connector::text_result(std::string(101, 'a') + "\n"), "oversized"},
      {connector::json(R"({"content": 7})"), "malformed"},
      {connector::json(
           R"({"content": [{"type": "text", "text": "{\"n\": 1}"}],
               "structuredContent": {"n": 2}})"),
       "contradictory"}};
  for (const auto& [result, why] : results) {
    mcp_.replies.emplace_back(result);
    const AssistantOutcome outcome = ask_for("List the files in the folder");
    EXPECT_EQ(status(outcome), "needs_review") << why;
    EXPECT_EQ(reason(outcome).substr(0, why.size()), why);
    EXPECT_FALSE(outcome.state.context_update.has_value());
    EXPECT_TRUE(visited(outcome, "mark_needs_review"));
  }
}

TEST_F(AssistantTest, AFailedToolGivesWayToTheNextCandidateOnce) {
  offer({search_tickets("a"), search_tickets("b"), search_tickets("c")});
  mcp_.replies.emplace_back(connector::error_result("index is broken"));
  const AssistantOutcome outcome = ask_for("Search the open tickets");
  EXPECT_EQ(status(outcome), "ok");
  EXPECT_EQ(selected(outcome), "b/search_tickets");
  EXPECT_EQ(outcome.state.errors.size(), 1U);
  mcp_.requests.clear();
  mcp_.replies.emplace_back(connector::error_result("broken"));
  mcp_.replies.emplace_back(Failure(Failure::Kind::kTimeout, "no answer"));
  const AssistantOutcome failed = ask_for("Search the open tickets");
  EXPECT_EQ(status(failed), "failed");
  EXPECT_EQ(mcp_.requests.size(), 2U);
  EXPECT_NE(response(failed).find("no answer"), std::string::npos);
}

TEST_F(AssistantTest, RepeatedTransportErrorsStopAfterOneRetry) {
  offer({search_tickets("a"), search_tickets("b")});
  for (int i = 0; i < 5; ++i) {
    mcp_.replies.emplace_back(Failure(Failure::Kind::kDisconnected, "gone"));
  }
  const AssistantOutcome outcome = ask_for("Search the open tickets");
  EXPECT_EQ(status(outcome), "needs_review");
  EXPECT_EQ(mcp_.requests.size(), 2U);
  EXPECT_EQ(mcp_.at.back(), Instant(seconds(1)));
  EXPECT_NE(reason(outcome).find("repeated transport errors"), std::string::npos);
}

TEST_F(AssistantTest, ARateLimitIsWaitedOutWithGrowingDelays) {
  offer({search_tickets()});
  mcp_.replies.emplace_back(Failure(429, "slow down"));
  mcp_.replies.emplace_back(Failure(429, "slow down"));
  const AssistantOutcome outcome = ask_for("Search the open tickets");
  EXPECT_EQ(status(outcome), "ok");
  const std::vector<Instant> at = {Instant(), Instant(seconds(1)), Instant(seconds(3))};
  EXPECT_EQ(mcp_.at, at);
  EXPECT_EQ(int_or(outcome.state.final_output["mcp_result_summary"], "attempts", 0), 3);
}

TEST_F(AssistantTest, ARateLimitIsGivenUpAfterItsBudget) {
  offer({search_tickets()});
  for (int i = 0; i < 9; ++i) mcp_.replies.emplace_back(connector::error_result("429: rate limit"));
  EXPECT_EQ(status(ask_for("Search the open tickets")), "failed");
  EXPECT_EQ(mcp_.requests.size(), 3U);
}

// A tool that ran may have done a part of it before it met the limit.
TEST_F(AssistantTest, AWriteThatTellsOfALimitItselfIsNotSentAgain) {
  offer({connector::tool("mail", "send_email", "Send an email")});
  mcp_.replies.emplace_back(connector::error_result("2 of 3 sent, then: rate limit"));
  EXPECT_EQ(status(ask_for("Send an email", [](const Json&) { return true; })), "failed");
  EXPECT_EQ(mcp_.requests.size(), 1U);
}

// Words say nothing of whether it ran: a status does.
TEST_F(AssistantTest, AWriteWhoseErrorSpeaksOfALimitIsNotSentAgain) {
  offer({connector::tool("mail", "send_email", "Send an email")});
  mcp_.replies.emplace_back(Failure(-32603, "2 of 3 sent, then: rate limit"));
  EXPECT_EQ(status(ask_for("Send an email", [](const Json&) { return true; })), "failed");
  EXPECT_EQ(mcp_.requests.size(), 1U);
}

TEST_F(AssistantTest, RetryAfterIsHonouredUnlessItIsTooLong) {
  offer({search_tickets()});
  mcp_.replies.emplace_back(
      Failure(429, "slow down", connector::json(R"({"retryAfterMs": 5000})")));
  EXPECT_EQ(status(ask_for("Search the open tickets")), "ok");
  EXPECT_EQ(mcp_.at.back(), Instant(seconds(5)));
  mcp_.replies.emplace_back(Failure(429, "slow down", connector::json(R"({"retryAfter": 31})")));
  EXPECT_EQ(status(ask_for("Search the open tickets")), "failed");
  EXPECT_EQ(mcp_.requests.size(), 3U);
}

TEST_F(AssistantTest, SecurityErrorsAreNeverRetriedAndNoOtherCandidateIsTried) {
  const std::vector<mcp::Reply<Json>> refusals = {
      Failure(401, "unauthorized"), Failure(403, "forbidden"),
      connector::error_result("Permission denied: tickets"),
      connector::error_result("invalid API key")};
  for (const mcp::Reply<Json>& refusal : refusals) {
    offer({search_tickets("a"), search_tickets("b")});
    mcp_.requests.clear();
    mcp_.replies.assign(1, refusal);
    const AssistantOutcome outcome = ask_for("Search the open tickets");
    EXPECT_EQ(status(outcome), "needs_review");
    EXPECT_EQ(mcp_.requests.size(), 1U);
    EXPECT_EQ(reason(outcome).substr(0, 9), "security:");
  }
}

TEST_F(AssistantTest, AnActionThatMayHaveHappenedGoesToReviewAndIsNotRepeated) {
  for (const Failure::Kind kind :
       {Failure::Kind::kTimeout, Failure::Kind::kDisconnected, Failure::Kind::kInvalidReply}) {
    offer({send_email()});
    mcp_.requests.clear();
    mcp_.replies.assign(1, Failure(kind, "lost"));
    const AssistantOutcome outcome =
        ask_for("Email the report to finance", [](const Json&) { return true; });
    EXPECT_EQ(status(outcome), "needs_review");
    EXPECT_EQ(mcp_.requests.size(), 1U);
    EXPECT_NE(reason(outcome).find("not known whether"), std::string::npos);
    EXPECT_NE(response(outcome).find("The call was made"), std::string::npos);
  }
}

TEST_F(AssistantTest, ARunThatItsDeadlineStopsStillAnswers) {
  offer({send_email()});
  mcp_.answers_after = seconds(60);
  graph::RunOptions options;
  options.deadline = Instant(milliseconds(500));
  const AssistantOutcome outcome = ask_for(
      "Email the report to finance", [](const Json&) { return true; }, options);
  EXPECT_EQ(status(outcome), "failed");
  EXPECT_TRUE(outcome.state.needs_human_review);
  EXPECT_NE(reason(outcome).find("not known whether email/send_email"), std::string::npos);
  options.deadline = kNever;
  options.steps_max = 3;
  EXPECT_EQ(status(ask_for("List the files", nullptr, options)), "failed");
}

TEST_F(AssistantTest, PreferredServersGoFirst) {
  offer({search_tickets("jira"), search_tickets("zendesk")});
  preferences_ = {"zendesk"};
  EXPECT_EQ(selected(ask_for("Search the open tickets")), "zendesk/search_tickets");
}

// Goal: no edge of the drawing is dead. Method: one request for each branch; their routes must
// cover every edge between two nodes.
TEST_F(AssistantTest, EveryEdgeIsTaken) {
  const auto yes = [](const Json&) { return true; };
  ask_for("");
  ask_for("Thanks!");
  ask_for("List the files");
  offer({connector::tool("weather", "get_weather", "Get the weather.")});
  ask_for("List the files");
  offer({send_email()});
  ask_for("Email the report to finance");
  ask_for("Email the report to finance", yes);
  offer({search_tickets("a"), search_tickets("b")});
  mcp_.replies.assign(1, connector::error_result("broken"));
  ask_for("Search the open tickets");
  mcp_.replies.assign(1, Failure(401, "who are you"));
  ask_for("Search the open tickets");
  mcp_.replies.assign(1, connector::json("{}"));
  ask_for("Search the open tickets");
  offer({connector::tool("tickets", "list_tickets", "List tickets.")});
  ask_for("List the open tickets");
  const graph::Drawing drawing = operations_assistant().drawing();
  const std::set<std::string> taken(edges_.begin(), edges_.end());
  for (const graph::Drawing::Edge& edge : drawing.edges) {
    if (edge.from == graph::kStart || edge.to == graph::kEnd) continue;
    EXPECT_TRUE(taken.contains(edge.from + " " + edge.to)) << edge.from << " -> " << edge.to;
  }
}

}  // namespace
}  // namespace plumbline::agents
