#include "scenarios/judge/any_agent.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "scenarios/format/format.h"
#include "scenarios/judge/outside.h"

namespace plumbline::scenarios {
namespace {

constexpr const char* kScenario = R"({
  "plumbline": 1, "id": "mail", "title": "A mail is sent.",
  "request": {"input": "Send the mail"}, "approve": "all",
  "secrets": ["s3cr3t-of-files"],
  "servers": {
    "files": {"tools": [{"name": "list_directory", "inputSchema": {"type": "object"},
      "does": [{"reply": {"content": [{"type": "text", "text": "s3cr3t-of-files"}]}}]}]},
    "mail": {"tools": [{"name": "send_email", "inputSchema": {"type": "object"}, "effect": {}}]}
  },
  "expect": {"status": "ok", "errors": 0, "response_contains": ["s3cr3t-of-files", "our words"]}
})";

ServerLogEntry entry(ServerLogEntry::Kind kind, const std::string& server, Json detail,
                     int seconds = 0) {
  ServerLogEntry one;
  one.kind = kind;
  one.at = std::chrono::seconds(seconds);
  one.server = server;
  one.process = 7;
  one.connection = 1;
  one.detail = std::move(detail);
  return one;
}

Json call(Json id, const std::string& name, Json arguments = Json::object()) {
  return {{"jsonrpc", "2.0"},
          {"id", std::move(id)},
          {"method", "tools/call"},
          {"params", {{"name", name}, {"arguments", std::move(arguments)}}}};
}

class AnyAgentTest : public testing::Test {
 protected:
  using Kind = ServerLogEntry::Kind;

  AnyAgentTest() { run_.printed = "sent"; }

  std::vector<std::string> wrong() const {
    std::vector<std::string> checks;
    for (const AgentFinding& finding : judge_any_agent(scenario_, run_)) {
      checks.push_back(finding.check);
    }
    return checks;
  }
  bool is_wrong(const std::string& check) const { return std::ranges::count(wrong(), check) == 1; }
  void effect() {
    run_.log.push_back(entry(Kind::kEffect, "mail", {{"tool", "send_email"}, {"key", "a"}}));
  }

  Scenario scenario_ = load_scenario(kScenario, "mail.json").value();
  AnyAgentRun run_;
};

TEST_F(AnyAgentTest, WhoPrintsAnAnswerAndEndsIsRight) { EXPECT_TRUE(wrong().empty()); }

TEST_F(AnyAgentTest, WhoDoesNotEndIsWrong) {
  run_.late = "did not end within 60 s";
  EXPECT_TRUE(is_wrong("agent.ends"));
}

TEST_F(AnyAgentTest, WhoPrintsNothingOrNotWhatTheServerSaidIsWrong) {
  run_.due = {"21 degrees"};
  EXPECT_TRUE(is_wrong("agent.answers"));
  run_.printed = "it is 21 degrees";
  EXPECT_FALSE(is_wrong("agent.answers"));
  run_.due.clear();
  run_.printed = " \n";
  EXPECT_TRUE(is_wrong("agent.answers"));
}

TEST_F(AnyAgentTest, AnEffectHappensAsOftenAsItWasAskedFor) {
  effect();
  EXPECT_FALSE(is_wrong("agent.no-effect-twice"));
  effect();
  EXPECT_TRUE(is_wrong("agent.no-effect-twice"));
  run_.asked = 2;
  EXPECT_FALSE(is_wrong("agent.no-effect-twice"));
}

TEST_F(AnyAgentTest, TheSameCallIsBoundedAndRoundsOfOneALittleLess) {
  for (int i = 1; i <= 6; ++i) {
    EXPECT_FALSE(is_wrong("agent.bounded")) << i;
    run_.log.push_back(entry(Kind::kHeard, "files", call(i, "list_directory")));
  }
  EXPECT_TRUE(is_wrong("agent.bounded"));
  for (ServerLogEntry& one : run_.log) one.detail["params"]["requestState"] = "again";
  EXPECT_FALSE(is_wrong("agent.bounded"));
}

TEST_F(AnyAgentTest, WhatWasRefusedIsNotSentAgain) {
  run_.log.push_back(entry(Kind::kHeard, "files", call(1, "list_directory")));
  run_.log.push_back(entry(
      Kind::kSaid, "files",
      {{"jsonrpc", "2.0"},
       {"id", 1},
       {"error", {{"code", -32001}, {"message", "Unauthorized"}, {"data", {{"status", 401}}}}}}));
  run_.log.push_back(entry(Kind::kHeard, "files", call(2, "list_directory", {{"path", "b"}})));
  EXPECT_FALSE(is_wrong("agent.no-call-after-refusal"));
  run_.log.push_back(entry(Kind::kHeard, "files", call(3, "list_directory")));
  EXPECT_TRUE(is_wrong("agent.no-call-after-refusal"));
}

TEST_F(AnyAgentTest, PostsAreNotRepeatedToWhoRefusesThem) {
  for (int i = 0; i < 4; ++i) {
    EXPECT_FALSE(is_wrong("agent.no-call-after-refusal")) << i;
    HttpMet met;
    met.server = "files";
    met.method = "POST";
    met.refused = 401;
    run_.exchanges.push_back(met);
  }
  EXPECT_TRUE(is_wrong("agent.no-call-after-refusal"));
}

TEST_F(AnyAgentTest, WhoSendsTheSameAgainHasCancelledTheFirst) {
  run_.log.push_back(entry(Kind::kHeard, "files", call(1, "list_directory"), 1));
  run_.log.push_back(entry(Kind::kHeard, "files", call(2, "list_directory"), 9));
  EXPECT_TRUE(is_wrong("agent.cancels"));
  const Json cancel = {
      {"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", 1}}}};
  run_.log.insert(run_.log.begin() + 1, entry(Kind::kHeard, "files", cancel, 8));
  EXPECT_FALSE(is_wrong("agent.cancels"));
}

TEST_F(AnyAgentTest, KeysAndSecretsReachTheirOwnServerOnly) {
  run_.keys = {{"files", "key-of-files-1"}};
  run_.log.push_back(
      entry(Kind::kHeard, "files", call(1, "x", {{"t", "key-of-files-1 s3cr3t-of-files"}})));
  EXPECT_FALSE(is_wrong("agent.keys-stay-home"));
  run_.log.push_back(entry(Kind::kHeard, "mail", call(1, "x", {{"t", "s3cr3t-of-files"}})));
  EXPECT_TRUE(is_wrong("agent.keys-stay-home"));
  run_.log.pop_back();
  HttpMet met;
  met.server = "mail";
  met.headers = "Authorization: key-of-files-1\n";
  run_.exchanges.push_back(met);
  EXPECT_TRUE(is_wrong("agent.keys-stay-home"));
}

TEST_F(AnyAgentTest, WhatTheCatalogueForbidsIsWrong) {
  Json bad = call(1, "list_directory");
  bad.erase("jsonrpc");
  run_.log.push_back(entry(Kind::kHeard, "files", bad));
  EXPECT_TRUE(is_wrong("agent.keeps-the-specification"));
}

TEST_F(AnyAgentTest, AProcessThatIsLeftRunningIsAWarning) {
  run_.left_running = {"files"};
  const std::vector<AgentFinding> found = judge_any_agent(scenario_, run_);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].should);
}

TEST_F(AnyAgentTest, OnlyWhatAServerSaysIsDue) {
  EXPECT_EQ(due_parts(scenario_), std::vector<std::string>({"s3cr3t-of-files"}));
}

// expecting returns the scenario above with another "expect" and, behind it, "invariants".
Scenario mail_expecting(const std::string& expect) {
  std::string text = kScenario;
  text.resize(text.find("\"expect\""));
  const Result<Scenario> scenario = load_scenario(text + expect + "}", "mail.json");
  EXPECT_TRUE(scenario.ok()) << scenario.error().message;
  return scenario.value();
}

// found returns what is broken and, behind a "?", what is open.
std::string found(const std::string& expect, const AnyAgentRun& run) {
  const OutsideFindings all = judge_from_outside(mail_expecting(expect), run);
  std::string text;
  for (const RunFailure& failure : all.broken) text += failure.check + ": " + failure.message + ';';
  for (const NotJudged& one : all.open) text += "?" + one.what + ';';
  return text;
}

class OutsideTest : public AnyAgentTest {
 protected:
  OutsideTest() {
    run_.log.push_back(entry(Kind::kStarted, "files", ""));
    run_.log.push_back(entry(Kind::kHeard, "files", call(1, "list_directory", {{"path", "."}})));
  }
};

TEST_F(OutsideTest, WhatShowsIsJudgedBothWays) {
  run_.printed = "two files";
  EXPECT_EQ(found(R"("expect": {"status": "ok", "selected": "files/list_directory",
                      "arguments": {"path": "."}, "response_contains": "two", "effects": 0,
                      "response_lacks": "three", "requests": {"tools/call": 1},
                      "starts": {"files": 1, "mail": 0}},
                    "invariants": [{"name": "p", "never": {"event": "effect"}},
                      {"name": "q", "eventually": {"event": "message_sent", "who": "files"}}])",
                  run_),
            "");
  EXPECT_EQ(found(R"("expect": {"status": "answered_without_mcp", "requests": {"tools/call": 99},
                      "response_contains": "banana"},
                    "invariants": [{"name": "p", "never": {"event": "message_sent",
                      "detail": {"method": "tools/call"}}}])",
                  run_)
                .substr(0, 60),
            "expect.requests: tools/call 1, expected 99;expect.response_c");
}

TEST_F(OutsideTest, WhatDoesNotShowIsNamed) {
  EXPECT_EQ(found(R"("expect": {"status": "ok"})", run_), "?expect.status;");
  EXPECT_EQ(found(R"("expect": {"status": "failed", "errors": 0})", run_),
            "?expect.errors;?expect.status;");
  EXPECT_EQ(found(R"("expect": {"status": "any"},
                    "invariants": [{"name": "p", "never": {"event": "node_started"}},
                                   {"name": "q", "always": {"status": "ok"}}])",
                  run_),
            "?property.p;?property.q;");
  run_.over_sockets = true;
  EXPECT_EQ(found(R"("expect": {"status": "any", "starts": {"files": 1}})", run_),
            "?expect.starts;");
}

TEST_F(OutsideTest, ACommandThatFailsIsNotOkAndTellsOfAFailure) {
  run_.exit_status = 3;
  EXPECT_EQ(found(R"("expect": {"status": "ok"})", run_),
            "expect.status: the command ended with exit status 3, expected \"ok\";");
  EXPECT_EQ(found(R"("expect": {"status": "failed"})", run_), "");
}

// What servers did not write down may be what an invariant is about.
TEST_F(OutsideTest, WhatWasNotWrittenDownIsNotJudged) {
  const std::string never = R"("expect": {"status": "any", "requests": {"tools/call": 1}},
      "invariants": [{"name": "p", "never": {"event": "message_sent", "detail": {"a": 1}}}])";
  EXPECT_EQ(found(never, run_), "");
  run_.log.back().cut = true;
  EXPECT_EQ(found(never, run_), "?property.p;");
  run_.log.push_back(entry(Kind::kFull, "files", nullptr));
  EXPECT_EQ(found(never, run_), "?expect.requests;?property.p;");
}

TEST_F(OutsideTest, ARuleThatNobodyMayComeToIsATrapWhereItIsFollowed) {
  std::string text = kScenario;
  text.replace(text.find("\"mail\": {"), 9,
               R"("mail": {"on": [{"method": "ping", "do": []},
                                 {"method": "tools/call", "never": true, "do": []}],)");
  scenario_ = load_scenario(text, "mail.json").value();
  run_.log.push_back(entry(Kind::kRule, "mail", std::size_t{1}));
  run_.log.push_back(entry(Kind::kFollowed, "mail", std::size_t{0}));
  const auto broken = [this] { return judge_from_outside(scenario_, run_).broken; };
  const auto is_trap = [](const RunFailure& failure) { return failure.check == "expect.never"; };
  EXPECT_FALSE(std::ranges::any_of(broken(), is_trap));
  run_.log.push_back(entry(Kind::kFollowed, "mail", std::size_t{1}));
  EXPECT_TRUE(std::ranges::any_of(broken(), is_trap));
}

TEST(ServerLogTest, WhatIsWrittenIsReadAndAServerThatStartsAgainGoesOnCounting) {
  std::string text;
  ServerLogWriter writer(
      "files", 7, {[] { return Duration(5); }, [&](const std::string& line) { text += line; }});
  writer.started("a key");
  EXPECT_EQ(writer.connected(), 1);
  writer.heard(1, call(1, "list_directory"));
  writer.rule_met(2);
  writer.rule_met(2);
  writer.ended("exit code 0");
  const std::vector<ServerLogEntry> log = read_server_log(text + "{\"torn");
  ASSERT_EQ(log.size(), 5U);
  EXPECT_EQ(log[1].detail, call(1, "list_directory"));
  fakes::ServerMemory memory("files");
  remember(log, memory);
  EXPECT_EQ(memory.starts, 1);
  EXPECT_EQ(memory.rule_hits, std::vector<std::int64_t>({0, 0, 2}));
  fakes::ServerMemory another("mail");
  remember(log, another);
  EXPECT_EQ(another.starts, 0);
}

TEST(ServerLogTest, BytesAreAMessageOnlyWhereTheyAreALineOfTheirOwn) {
  std::string text;
  ServerLogWriter writer(
      "files", 7, {[] { return Duration(); }, [&](const std::string& line) { text += line; }});
  writer.said_raw(1, R"({"jsonrpc":"2.0","id":1,"result":{}})"
                     "\n");
  writer.said_raw(1, "half a ");
  writer.said_raw(1, R"({"jsonrpc":"2.0","id":2,"result":{}})"
                     "\n");
  const std::vector<ServerLogEntry> log = read_server_log(text);
  ASSERT_EQ(log.size(), 3U);
  EXPECT_EQ(log[0].kind, ServerLogEntry::Kind::kSaid);
  EXPECT_EQ(log[1].kind, ServerLogEntry::Kind::kSaidRaw);
  EXPECT_EQ(log[2].kind, ServerLogEntry::Kind::kSaidRaw);
}

}  // namespace
}  // namespace plumbline::scenarios
