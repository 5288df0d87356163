// `run --client`: somebody's agent before the servers of a scenario, which run for real.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/options/shown_words.h"
#include "core/json/json.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

class RunClientTest : public ProgramTest {
 protected:
  static std::string library(const std::string& name, const std::string& folder = "basics") {
    return std::string(SOURCE_ROOT) + "/scenarios/library/" + folder + "/" + name + ".json";
  }

  // judge plays one scenario to `command` and returns its row of the JSON report.
  Json judge(const std::string& file, const std::vector<std::string>& command, int expected_code,
             const std::vector<std::string>& options = {}) {
    std::vector<std::string> words = {"run", file, "--client", "--report", "json=-"};
    words.insert(words.end(), options.begin(), options.end());
    words.emplace_back("--");
    words.insert(words.end(), command.begin(), command.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, expected_code) << outcome.out << outcome.err;
    const Result<Json> report = parse_json(outcome.out);
    const Json* const row = report.ok() ? at_pointer(report.value(), "/results/0") : nullptr;
    return row == nullptr ? Json::object() : *row;
  }

  const std::vector<std::string> ours_ = {PLUMBLINE_PROGRAM, "ask",       "{request}", "--config",
                                          "{config}",        "--approve", "all"};
};

TEST_F(RunClientTest, OurOwnAgentIsRightOverPipesAndOverHttp) {
  for (const char* const over : {"stdio", "http"}) {
    const Json row =
        judge(library("list-files-happy-path"), ours_, 0, {"--transport", over, "--rules-only"});
    EXPECT_EQ(string_or(row, "verdict", ""), "pass") << dump_json(row);
    EXPECT_EQ(string_or(row, "transport", ""), over);
    const Json* const left_out = at_pointer(row, "/outcome/not_judged");
    ASSERT_NE(left_out, nullptr) << dump_json(row);
    EXPECT_NE(dump_json(*left_out).find("expect.route"), std::string::npos) << dump_json(row);
  }
}

TEST_F(RunClientTest, WhatTheFileExpectsIsJudgedWhereItShowsAndNamedWhereNot) {
  const std::string rest = R"(", "title": "Mine.",
    "request": {"input": "List the files"}, "servers": {"files": {"tools": [{
      "name": "list_files", "description": "List the files",
      "does": [{"reply": {"content": [{"type": "text", "text": "notes.md"}]}}]}]}},)";
  write("right.json", R"({"plumbline": 1, "id": "right)" + rest +
                          R"("expect": {"status": "ok", "response_contains": "notes.md",
    "requests": {"tools/call": 1}, "effects": 0, "starts": {"files": 1},
    "selected": "files/list_files"}, "invariants": [{"name": "no-mail",
      "never": {"event": "message_sent", "detail": {"method": "tools/call",
                "params": {"name": "send*"}}}}]})");
  EXPECT_EQ(string_or(judge("right.json", ours_, 0), "verdict", ""), "pass");
  write("wrong.json", R"({"plumbline": 1, "id": "wrong)" + rest +
                          R"("expect": {"status": "ok", "response_contains": ["banana"],
    "requests": {"tools/call": 99}}, "invariants": [{"name": "no-call",
      "never": {"event": "message_sent", "detail": {"method": "tools/call"}}}]})");
  const std::string wrong = string_or(judge("wrong.json", ours_, 1), "message", "");
  for (const char* const part :
       {"expect.response_contains: ", "banana", "expect.requests: tools/call 1, expected 99",
        "property.no-call: never: there was a message_sent of files"}) {
    EXPECT_NE(wrong.find(part), std::string::npos) << wrong;
  }
  const Json open = judge(library("list-files-happy-path"), ours_, 3);
  EXPECT_EQ(string_or(open, "verdict", ""), "inconclusive") << dump_json(open);
  EXPECT_NE(string_or(open, "message", "").find("expect.route is not judged: "), std::string::npos)
      << dump_json(open);
}

TEST_F(RunClientTest, WhatAServerHeardIsTheEvidence) {
  const std::vector<std::string> silent = {
      "/bin/sh", "-c", quoted(PLUMBLINE_PROGRAM) + " ask '{request}' --config {config} >/dev/null"};
  const Json row = judge(library("list-files-happy-path"), silent, 1);
  EXPECT_NE(string_or(row, "message", "").find("agent.answers"), std::string::npos);
  EXPECT_NE(dump_json(row["evidence"]).find("tools/call"), std::string::npos) << dump_json(row);
}

TEST_F(RunClientTest, ACommandThatNeverEndsIsEndedAndSaysSo) {
  const Json row = judge(library("list-files-happy-path"), {"/bin/sh", "-c", "cat; sleep 60"}, 1,
                         {"--timeout", "500ms"});
  EXPECT_NE(string_or(row, "message", "").find("agent.ends"), std::string::npos);
}

TEST_F(RunClientTest, TheRequestComesOnStandardInputWhereNoWordAsksForIt) {
  const Json row = judge(library("list-files-happy-path"), {"/bin/cat"}, 1);
  EXPECT_NE(dump_json(row["outcome"]).find("List the files"), std::string::npos) << dump_json(row);
}

// Who never speaks to a server does nothing wrong there, and shows nothing.
TEST_F(RunClientTest, ACommandThatSpeaksToNoServerIsJudgedByNothing) {
  const std::string rest = R"(", "title": "T.", "request": {"input": "List the files"},
    "servers": {"files": {"tools": [{"name": "list_files"}])";
  write("failed.json",
        R"({"plumbline": 1, "id": "failed)" + rest + R"(}}, "expect": {"status": "failed"}})");
  write("alone.json", R"({"plumbline": 1, "id": "alone)" + rest +
                          R"(}}, "expect": {"status": "answered_without_mcp"}})");
  write("gone.json", R"({"plumbline": 1, "id": "gone)" + rest +
                         R"(, "unavailable": true}}, "expect": {"status": "failed"}})");
  const std::vector<std::string> fails = {"/bin/sh", "-c", "echo cannot; exit 1"};
  for (const char* const over : {"stdio", "http"}) {
    for (const std::vector<std::string>& options :
         {std::vector<std::string>{"--transport", over},
          std::vector<std::string>{"--transport", over, "--rules-only"}}) {
      for (const char* const file : {"failed.json", "alone.json"}) {
        const bool failed = std::string_view(file) == "failed.json";
        const Json row =
            judge(file, failed ? fails : std::vector<std::string>{"/bin/echo", "hi"}, 3, options);
        EXPECT_EQ(string_or(row, "verdict", ""), "inconclusive") << dump_json(row);
        EXPECT_NE(string_or(row, "message", "").find("spoke to no server"), std::string::npos);
      }
      EXPECT_EQ(string_or(judge("gone.json", fails, 0, options), "verdict", ""), "pass");
    }
  }
}

TEST_F(RunClientTest, ScenariosOfTheSimulationAreSkippedWithTheReason) {
  const Json row = judge(library("link-reset-in-mid-call"), {"/bin/cat"}, 0);
  EXPECT_EQ(string_or(row, "verdict", ""), "skip");
  EXPECT_NE(string_or(row, "message", "").find("simulated link"), std::string::npos);
}

TEST_F(RunClientTest, ACommandThatIsNotThereIsNoFailureOfTheScenario) {
  const Json row = judge(library("list-files-happy-path"), {"/not/there"}, 3);
  EXPECT_EQ(string_or(row, "verdict", ""), "inconclusive");
}

TEST_F(RunClientTest, ACommandNeedsTheOptionAndTheOptionACommand) {
  EXPECT_EQ(run({"run", library("list-files-happy-path"), "--client"}).code, 2);
  EXPECT_EQ(run({"run", library("list-files-happy-path"), "--", "/bin/cat"}).code, 2);
  EXPECT_EQ(run({"run", library("list-files-happy-path"), "--rules-only"}).code, 2);
}

}  // namespace
}  // namespace plumbline::cli
