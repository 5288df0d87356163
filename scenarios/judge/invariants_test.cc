// Each invariant is broken once, alone, and passes once: a check that cannot fail is worse than
// none.

#include "scenarios/judge/invariants.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/agents/all/agents.h"
#include "core/graph/node.h"

namespace plumbline::scenarios {

namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;

class InvariantsTest : public testing::Test {
 protected:
  void SetUp() override { rules_.secrets = nullptr; }

  Invariants& judge() {
    if (!judge_) judge_.emplace(rules_);
    return *judge_;
  }

  void event(EventKind kind, std::string_view who, const Json& detail) {
    judge().on_event(TraceEvent{now_, kind, who, detail});
  }
  void edge(std::string_view from, std::string_view to) {
    event(EventKind::kEdgeTaken, from, {{"to", to}});
  }
  void node(std::string_view name, int attempt = 1) {
    event(EventKind::kNodeStarted, name, {{"step", 1}, {"attempt", attempt}});
  }
  void visit(std::string_view from, std::string_view to) {
    edge(from, to);
    node(to);
  }
  void started(std::int64_t id, std::string_view method, std::string_view who = "files") {
    event(EventKind::kRequestStarted, who, {{"id", id}, {"method", method}});
  }
  void ended(std::int64_t id, std::string_view who = "files") {
    event(EventKind::kRequestEnded, who, {{"id", id}, {"outcome", "result"}});
  }
  void answered(std::int64_t id, const Json& error, std::string_view who = "files") {
    event(EventKind::kMessageReceived, who, {{"jsonrpc", "2.0"}, {"id", id}, {"error", error}});
    ended(id, who);
  }
  void effect(std::string_view tool, std::string_view key, bool idempotent = false) {
    event(EventKind::kEffect, "mail", {{"tool", tool}, {"key", key}, {"idempotent", idempotent}});
  }
  void approval(std::string_view name, bool approved) {
    event(EventKind::kApproval, "person",
          {{"id", "call-1"}, {"approved", approved}, {"server", "mail"}, {"name", name}});
  }

  // broken returns the ids of the invariants that failed, joined by spaces.
  std::string broken() {
    std::string ids;
    for (const RunFailure& failure : judge().failures()) {
      EXPECT_FALSE(failure.message.empty());
      ids += (ids.empty() ? "" : " ") + failure.check.substr(std::string("invariant.").size());
    }
    return ids;
  }

  static Json good_state() {
    Json output = {{"status", "ok"},
                   {"response", "files/list returned:\na.txt"},
                   {"selected_capability", nullptr},
                   {"errors", Json::array()}};
    return {{"intent", "execute_tool"},
            {"capability_manifest", Json::object()},
            {"selected_capability", nullptr},
            {"capability_validation", Json::object()},
            {"context_update", {{"kind", "text"}, {"text", "a.txt"}, {"item_count", 1}}},
            {"errors", Json::array()},
            {"final_output", output}};
  }

  InvariantRules rules_{agents::default_agent()};
  Instant now_{};
  std::optional<Invariants> judge_;
};

TEST_F(InvariantsTest, AGoodRunBreaksNone) {
  visit(graph::kStart, "preprocess_request");
  visit("preprocess_request", "classify_intent");
  visit("classify_intent", "discover_capabilities");
  started(1, "initialize");
  ended(1);
  visit("discover_capabilities", "select_capability");
  visit("select_capability", "validate_capability");
  visit("validate_capability", "mark_needs_review");
  approval("send_email", true);
  node("mark_needs_review");
  visit("mark_needs_review", "build_mcp_request");
  visit("build_mcp_request", "invoke_mcp_capability");
  started(2, "tools/call");
  effect("send_email", "finance");
  ended(2);
  visit("invoke_mcp_capability", "integrate_result");
  visit("integrate_result", "generate_final_response");
  edge("generate_final_response", graph::kEnd);
  judge().check_state(good_state());
  judge().finish(now_, 0);
  EXPECT_EQ(broken(), "");
}

TEST_F(InvariantsTest, TheStateLacksAField) {
  for (const char* field : {"intent", "capability_manifest", "selected_capability",
                            "capability_validation", "errors", "final_output"}) {
    judge_.reset();
    Json state = good_state();
    state.erase(field);
    judge().check_state(state);
    EXPECT_EQ(broken(), "state-complete") << field;
  }
}

TEST_F(InvariantsTest, TheFinalOutputIsIncomplete) {
  const std::vector<std::pair<std::string, Json>> wrong = {
      {"status", "fine"}, {"response", ""}, {"errors", {"hidden"}}};
  for (const auto& [field, value] : wrong) {
    judge_.reset();
    Json state = good_state();
    state["final_output"][field] = value;
    judge().check_state(state);
    EXPECT_EQ(broken(), "state-complete") << field;
  }
  judge_.reset();
  Json state = good_state();
  state["intent"] = nullptr;
  judge().check_state(state);
  EXPECT_EQ(broken(), "state-complete");
}

TEST_F(InvariantsTest, AFailedRunMayNotKnowItsIntent) {
  Json state = good_state();
  state["intent"] = nullptr;
  state["final_output"]["status"] = "failed";
  judge().check_state(state);
  EXPECT_EQ(broken(), "");
}

TEST_F(InvariantsTest, TheRouteTakesAnEdgeThatIsNone) {
  visit(graph::kStart, "preprocess_request");
  visit("preprocess_request", "invoke_mcp_capability");
  EXPECT_EQ(broken(), "route-is-a-path");
}

TEST_F(InvariantsTest, TheRouteLeavesFromWhereItIsNot) {
  visit(graph::kStart, "preprocess_request");
  edge("classify_intent", "discover_capabilities");
  EXPECT_EQ(broken(), "route-is-a-path");
}

TEST_F(InvariantsTest, ANodeRunsWithoutAnEdgeToIt) {
  visit(graph::kStart, "preprocess_request");
  node("classify_intent");
  EXPECT_EQ(broken(), "route-is-a-path");
}

TEST_F(InvariantsTest, AnUnknownNodeRuns) {
  node("guess");
  EXPECT_EQ(broken(), "route-is-a-path");
}

TEST_F(InvariantsTest, AnEffectThatNobodyApproved) {
  effect("send_email", "finance");
  EXPECT_EQ(broken(), "no-high-impact-without-approval");
}

TEST_F(InvariantsTest, AnEffectThatWasRefused) {
  approval("send_email", false);
  effect("send_email", "finance");
  EXPECT_EQ(broken(), "no-high-impact-without-approval");
}

TEST_F(InvariantsTest, AnEffectUnderTheApprovalOfAnother) {
  approval("read_inbox", true);
  effect("send_email", "finance");
  EXPECT_EQ(broken(), "no-high-impact-without-approval");
}

TEST_F(InvariantsTest, AnApprovalOpensOneEffectOnly) {
  approval("send_email", true);
  effect("send_email", "finance");
  EXPECT_EQ(broken(), "");
  effect("send_email", "everybody");
  EXPECT_EQ(broken(), "no-high-impact-without-approval");
}

TEST_F(InvariantsTest, AnAllowlistOpensWhatItNamesUnlessItIsTakenBack) {
  rules_.allow = {"mail/*"};
  rules_.not_allowed = {"mail/delete_*"};
  effect("send_email", "finance");
  EXPECT_EQ(broken(), "");
  effect("delete_inbox", "");
  EXPECT_EQ(broken(), "no-high-impact-without-approval");
}

TEST_F(InvariantsTest, ACallAfterAnAuthFailureToAnybody) {
  for (const Json& error :
       {Json{{"code", 401}, {"message", "no"}}, Json{{"code", -32001}, {"message", "Unauthorized"}},
        Json{{"code", -32000}, {"data", {{"status", 403}}}}}) {
    judge_.reset();
    started(1, "tools/call");
    answered(1, error);
    started(1, "tools/call", "spare");
    EXPECT_EQ(broken(), "no-call-after-auth-failure") << error;
  }
}

TEST_F(InvariantsTest, ACallAfterAToolSpokeOfPermission) {
  started(1, "tools/call");
  const Json content = Json::array({{{"type", "text"}, {"text", "Permission denied"}}});
  event(EventKind::kMessageReceived, "files",
        {{"id", 1}, {"result", {{"isError", true}, {"content", content}}}});
  ended(1);
  started(2, "resources/read");
  EXPECT_EQ(broken(), "no-call-after-auth-failure");
}

TEST_F(InvariantsTest, ARefusedHandshakeBarsThatServerOnly) {
  started(1, "initialize");
  answered(1, {{"code", 401}, {"message", "no"}});
  started(1, "tools/call", "spare");
  EXPECT_EQ(broken(), "");
  started(2, "initialize");
  EXPECT_EQ(broken(), "no-call-after-auth-failure");
}

TEST_F(InvariantsTest, ARefusedListBarsThatListOnly) {
  started(1, "resources/list");
  answered(1, {{"code", 403}, {"message", "no"}});
  started(2, "tools/list");
  started(3, "tools/call");
  EXPECT_EQ(broken(), "");
  started(4, "resources/list");
  EXPECT_EQ(broken(), "no-call-after-auth-failure");
}

TEST_F(InvariantsTest, OtherErrorsAndNewRequestsBarNothing) {
  started(1, "tools/call");
  answered(1, {{"code", -32603}, {"message", "the disk is full"}});
  started(2, "tools/call");
  answered(2, {{"code", 401}, {"message", "no"}});
  visit(graph::kStart, "preprocess_request");
  started(3, "tools/call");
  EXPECT_EQ(broken(), "");
}

TEST_F(InvariantsTest, TooManySteps) {
  rules_.steps_max = 3;
  visit(graph::kStart, "preprocess_request");
  for (int i = 0; i < 2; ++i) node("preprocess_request");
  EXPECT_EQ(broken(), "");
  node("preprocess_request");
  EXPECT_EQ(broken(), "bounded");
}

TEST_F(InvariantsTest, TooManyAttempts) {
  visit(graph::kStart, "preprocess_request");
  node("preprocess_request", static_cast<int>(rules_.attempts_max));
  EXPECT_EQ(broken(), "");
  node("preprocess_request", static_cast<int>(rules_.attempts_max) + 1);
  EXPECT_EQ(broken(), "bounded");
}

TEST_F(InvariantsTest, TooManyCalls) {
  for (std::int64_t id = 1; id <= rules_.calls_max; ++id) {
    started(id, "tools/call");
    ended(id);
  }
  EXPECT_EQ(broken(), "");
  started(99, "tools/call");
  EXPECT_EQ(broken(), "bounded");
}

TEST_F(InvariantsTest, TooManyRequests) {
  for (std::int64_t id = 1; id <= rules_.requests_max; ++id) {
    started(id, "tools/list");
    ended(id);
  }
  EXPECT_EQ(broken(), "");
  started(0, "tools/list");
  EXPECT_EQ(broken(), "bounded");
}

TEST_F(InvariantsTest, TooLongABackoff) {
  started(1, "tools/call");
  ended(1);
  now_ += rules_.backoff_max;
  started(2, "tools/call");
  ended(2);
  EXPECT_EQ(broken(), "");
  now_ += rules_.backoff_max + milliseconds(1);
  started(3, "tools/call");
  EXPECT_EQ(broken(), "bounded");
}

TEST_F(InvariantsTest, TooMuchVirtualTime) {
  judge().finish(Instant(rules_.virtual_max), 0);
  EXPECT_EQ(broken(), "");
  judge().finish(Instant(rules_.virtual_max + minutes(1)), 0);
  EXPECT_EQ(broken(), "bounded");
}

TEST_F(InvariantsTest, ARequestNeverEnds) {
  started(1, "tools/call");
  judge().finish(now_, 0);
  EXPECT_EQ(broken(), "requests-end-once");
}

TEST_F(InvariantsTest, ARequestEndsTwice) {
  started(1, "tools/call");
  ended(1);
  EXPECT_EQ(broken(), "");
  ended(1);
  EXPECT_EQ(broken(), "requests-end-once");
}

TEST_F(InvariantsTest, AnIdIsUsedTwiceAtATime) {
  started(1, "tools/list");
  started(1, "tools/list", "spare");
  EXPECT_EQ(broken(), "");
  started(1, "tools/call");
  EXPECT_EQ(broken(), "requests-end-once");
}

TEST_F(InvariantsTest, ARequestEndsWithoutAnOutcome) {
  started(1, "tools/call");
  event(EventKind::kRequestEnded, "files", {{"id", 1}, {"method", "tools/call"}});
  EXPECT_EQ(broken(), "requests-end-once");
}

TEST_F(InvariantsTest, AnEffectHappensTwice) {
  rules_.allow = {"*"};
  effect("send_email", "finance");
  effect("send_email", "everybody");
  effect("set_status", "42", true);
  effect("set_status", "42", true);
  EXPECT_EQ(broken(), "");
  effect("send_email", "finance");
  EXPECT_EQ(broken(), "no-effect-twice");
}

TEST_F(InvariantsTest, OpaqueOrOversizedContentInTheContext) {
  const auto bytes_max = static_cast<std::size_t>(rules_.context_bytes_max);
  const std::vector<std::string> opaque = {"%PDF-1.7", std::string("a\0b", 3),
                                           std::string(500, 'A'), "x" + std::string(1, '\x1a'),
                                           std::string(bytes_max * 2, ' ')};
  for (const char* field : {"context_update", "final_output"}) {
    for (const std::string& text : opaque) {
      judge_.reset();
      Json state = good_state();
      state[field]["response"] = text;
      judge().check_state(state);
      EXPECT_EQ(broken(), "context-is-readable") << field << ' ' << text.substr(0, 20);
    }
  }
}

TEST_F(InvariantsTest, LongTextThatFitsIsReadable) {
  Json state = good_state();
  std::string text;
  while (text.size() + 20 < static_cast<std::size_t>(rules_.context_bytes_max)) {
    text += "caf\xc3\xa9 \x1b[1m\t0123456789\n";
  }
  state["context_update"]["text"] = text;
  judge().check_state(state);
  EXPECT_EQ(broken(), "");
}

TEST_F(InvariantsTest, ASecretInTheTraceTheStateOrTheReport) {
  Redactor secrets;
  secrets.add("tk-12345678");
  rules_.secrets = &secrets;
  event(EventKind::kNote, "files", {{"text", "tk-1234"}});
  judge().check_state(good_state());
  judge().check_text("the report", "all is well");
  EXPECT_EQ(broken(), "");

  event(EventKind::kNote, "files", {{"text", "key tk-12345678"}});
  EXPECT_EQ(broken(), "no-secret");

  judge_.reset();
  Json state = good_state();
  state["capability_manifest"]["files"] = "tk-12345678";
  judge().check_state(state);
  EXPECT_EQ(broken(), "no-secret");

  judge_.reset();
  judge().check_text("the report", "failed: tk-12345678");
  EXPECT_EQ(broken(), "no-secret");
}

TEST_F(InvariantsTest, ARequestEndsAsAnother) {
  event(EventKind::kRequestStarted, "files", {{"id", 1}, {"method", "server/discover"}});
  event(EventKind::kRequestEnded, "files",
        {{"id", 1}, {"method", "initialize"}, {"outcome", "answer"}});
  EXPECT_EQ(broken(), "requests-end-once");
}

TEST_F(InvariantsTest, ATimerIsLeft) {
  judge().finish(now_, 1);
  EXPECT_EQ(broken(), "falls-idle");
}

TEST_F(InvariantsTest, EveryInvariantIsListedOnce) {
  std::vector<std::string_view> ids;
  for (const InvariantInfo& info : all_invariants()) {
    EXPECT_TRUE(info.id.starts_with("invariant.") || info.id.starts_with("liveness.")) << info.id;
    EXPECT_TRUE(info.what.ends_with(".")) << info.id;
    EXPECT_EQ(std::ranges::count(ids, info.id), 0) << info.id;
    ids.push_back(info.id);
  }
  EXPECT_EQ(ids.size(), 39U);
}

}  // namespace
}  // namespace plumbline::scenarios
