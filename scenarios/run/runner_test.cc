#include "scenarios/world/runner.h"

#include <string>

#include <gtest/gtest.h>

#include "scenarios/format/format.h"
#include "scenarios/format/library_files.h"

namespace plumbline::scenarios {

namespace {

std::string checks_of(const RunResult& result) {
  std::string checks;
  for (const RunFailure& failure : result.failures) {
    checks += (checks.empty() ? "" : " ") + failure.check;
  }
  return checks;
}

// run_text runs a scenario that stands in the test.
RunResult run_text(std::string_view text, Want want = {}) {
  const Result<Scenario> scenario = load_scenario(text, "s.json");
  EXPECT_TRUE(scenario.ok()) << scenario.error().message;
  RunOptions options;
  options.want = want;
  return run_scenario(scenario.value(), options);
}

TEST(RunnerTest, EveryExpectationCanFail) {
  const RunResult result = run_text(R"({
    "plumbline": 1, "id": "s", "title": "T.", "request": {"input": "List the files"},
    "servers": {"files": {"tools": [{"name": "list_files", "description": "List the files"}]}},
    "expect": {
      "status": "failed", "intent": "use_prompt", "selected": null, "context": "records",
      "route": ["preprocess_request"], "route_contains": ["mark_needs_review"],
      "effects": {"files/list_files": 1}, "arguments": {"path": "."}, "item_count": 7,
      "errors": 1, "errors_contain": ["e"], "fallback_contains": "f",
      "response_contains": "zzz", "response_lacks": "list_files",
      "requests": {"tools/call": 2}, "starts": {"files": 0}, "approvals_asked": 1,
      "virtual_ms_max": 0, "virtual_ms_min": 1000}
  })");
  EXPECT_EQ(result.verdict, Verdict::kFail);
  EXPECT_EQ(checks_of(result),
            "expect.status expect.intent expect.selected expect.context expect.arguments "
            "expect.item_count expect.route expect.route_contains expect.effects expect.effects "
            "expect.response_contains expect.response_lacks expect.fallback_contains "
            "expect.errors_contain expect.errors expect.requests expect.starts "
            "expect.approvals_asked expect.virtual_ms_min");
}

// A refused server/discover and what follows it are two requests, and each ends as what it began.
TEST(RunnerTest, RequestsAreCountedAsTheyGoOut) {
  Want want;
  want.trace = true;
  const RunResult result = run_text(R"({
    "plumbline": 1, "id": "s", "title": "T.", "request": {"input": "List the files"},
    "servers": {"files": {"tools": [{"name": "list_files", "description": "List the files"}]}},
    "world": {"revision": "2026-07-28"},
    "expect": {"status": "ok", "requests": {"server/discover": 1, "initialize": 1,
      "tools/list": 1, "tools/call": 1, "notifications/initialized": 0}}
  })",
                                    want);
  EXPECT_EQ(checks_of(result), "");
  for (const char* const outcome : {R"({"id":1,"method":"server/discover","outcome":"error"})",
                                    R"({"id":2,"method":"initialize","outcome":"answer"})"}) {
    EXPECT_NE(result.trace.find(outcome), std::string::npos) << outcome << '\n' << result.trace;
  }
}

TEST(RunnerTest, ADuplicateEffectOfAServerIsSeen) {
  // The server commits twice for one approved call: the run must say so, whatever was expected.
  const RunResult result = run_text(R"({
    "plumbline": 1, "id": "s", "title": "T.", "request": {"input": "Email the report to finance"},
    "approve": "all",
    "servers": {"mail": {"tools": [{"name": "send_email", "description": "Send an email",
      "inputSchema": {"type": "object", "properties": {"to": {"type": "string"}},
                      "required": ["to"]},
      "does": [{"effect": {"key": "k"}}, {"effect": {"key": "k"}}]}]}},
    "expect": {"status": "ok", "effects": 2}
  })");
  EXPECT_EQ(checks_of(result),
            "invariant.no-high-impact-without-approval invariant.no-effect-twice");
}

TEST(RunnerTest, AFailureDoesNotTellTheSecret) {
  const RunResult result = run_text(R"({
    "plumbline": 1, "id": "s", "title": "T.", "secrets": ["tk-12345678"],
    "request": {"input": "List the files"},
    "servers": {"files": {"tools": [{"name": "list_files", "description": "List the files",
      "does": [{"tool_error": "bad key tk-12345678"}]}]}},
    "expect": {"status": "ok", "response_contains": "tk-12345678"}
  })",
                                    {.state = true, .trace_hash = false, .trace = true});
  EXPECT_EQ(checks_of(result), "expect.status expect.response_contains");
  for (const RunFailure& failure : result.failures) {
    EXPECT_EQ(failure.message.find("tk-12345678"), std::string::npos) << failure.message;
  }
  EXPECT_EQ(dump_json(result.state).find("tk-12345678"), std::string::npos);
  EXPECT_EQ(result.trace.find("tk-12345678"), std::string::npos);
  EXPECT_NE(result.trace.find("[redacted]"), std::string::npos);
}

TEST(RunnerTest, AnOutcomeTellsWhatCameOfARunAndNoSecret) {
  Want want;
  want.outcome = true;
  const RunResult result = run_text(R"({
    "plumbline": 1, "id": "s", "title": "T.", "secrets": ["tk-12345678"],
    "request": {"input": "Email the report to finance", "times": 2}, "approve": "all",
    "servers": {"mail": {"tools": [{"name": "send_email", "description": "Send an email",
      "inputSchema": {"type": "object", "properties": {"to": {"type": "string"}},
                      "required": ["to"]},
      "effect": {"key": "tk-12345678"},
      "does": [{"reply": {"content": [{"type": "text", "text": "sent, tk-12345678"}]}}]}]}},
    "faults": [{"server": "mail", "do": "stall", "at_ms": 0, "for_ms": 3}],
    "expect": {"status": "ok"}
  })",
                                    want);
  EXPECT_EQ(dump_json(result.outcome),
            R"({"approvals_asked":2,"effects":{"mail/send_email":2},"errors":0,)"
            R"("faults":{"stall":1},"requests":{"initialize":1,"tools/call":2,"tools/list":4},)"
            R"("response":"mail/send_email returned:\nsent, [redacted]","status":"ok",)"
            R"("virtual_ms":3})");
}

TEST(RunnerTest, ATraceEndsInItsHashAndTellsTheWholeRun) {
  RunOptions options;
  options.seed = 7;
  options.want.trace = true;
  const RunResult result = run_scenario(find_scenario("approved-email-runs-once"), options);
  EXPECT_EQ(result.trace_hash.size(), 64U);
  EXPECT_TRUE(result.trace.ends_with("{\"trace_hash\":\"" + result.trace_hash + "\"}\n"));
  for (const char* kind :
       {"message_sent", "message_received", "request_started", "request_ended", "node_started",
        "node_ended", "edge_taken", "effect", "approval", "connection"}) {
    EXPECT_NE(result.trace.find("\"kind\":\"" + std::string(kind) + '"'), std::string::npos)
        << kind;
  }
}

TEST(RunnerTest, FaultsAreInTheTrace) {
  RunOptions options;
  options.want.trace = true;
  const RunResult result = run_scenario(find_scenario("link-stalls-and-heals"), options);
  EXPECT_NE(result.trace.find("\"fault\":\"stall\",\"met_a_connection\":true"), std::string::npos);
}

TEST(RunnerTest, NothingIsKeptThatNobodyWants) {
  const RunResult result = run_scenario(find_scenario("list-files-happy-path"), {});
  EXPECT_TRUE(result.state.is_null());
  EXPECT_TRUE(result.trace.empty());
  EXPECT_TRUE(result.trace_hash.empty());
  EXPECT_EQ(result.status, "ok");
}

}  // namespace
}  // namespace plumbline::scenarios
