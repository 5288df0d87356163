// `run --real`: scenarios against real child processes.

#include <string>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

class RealRunTest : public ProgramTest {
 protected:
  // judge runs one scenario for real and returns its row of the JSON report.
  Json judge(const std::string& file, int expected_code, const std::string& over = "stdio") {
    const Outcome outcome = run({"run", file, "--real", "--transport", over, "--report", "json=-"});
    EXPECT_EQ(outcome.code, expected_code) << outcome.out << outcome.err;
    const Result<Json> report = parse_json(outcome.out);
    const Json* const row = report.ok() ? at_pointer(report.value(), "/results/0") : nullptr;
    return row == nullptr ? Json::object() : *row;
  }

  static std::string library(const std::string& name, const std::string& folder = "basics") {
    return std::string(SOURCE_ROOT) + "/scenarios/library/" + folder + "/" + name + ".json";
  }

  void expect_pass(const std::string& file, const std::string& over) {
    const Json row = judge(file, 0, over);
    EXPECT_EQ(string_or(row, "verdict", ""), "pass") << over << dump_json(row);
    EXPECT_EQ(string_or(row, "transport", ""), over);
  }

  // altered writes the scenario `name` of the library with `from` replaced by `to`.
  std::string altered(const std::string& name, const std::string& from, const std::string& to) {
    std::ostringstream text;
    text << std::ifstream(library(name)).rdbuf();
    std::string changed = text.str();
    changed.replace(changed.find(from), from.size(), to);
    write(name + ".json", changed);
    return name + ".json";
  }
};

TEST_F(RealRunTest, ARealProcessComesToWhatTheScenarioExpects) {
  const Json row = judge(library("list-files-happy-path"), 0);
  EXPECT_EQ(string_or(row, "verdict", ""), "pass") << dump_json(row);
  EXPECT_EQ(string_or(row, "transport", ""), "stdio");
}

TEST_F(RealRunTest, EffectsOfARealProcessAreCountedEvenWhenItDiesOfThem) {
  EXPECT_EQ(string_or(judge(library("approved-email-runs-once"), 0), "verdict", ""), "pass");
  EXPECT_EQ(string_or(judge(library("ambiguous-success-crash"), 0), "verdict", ""), "pass");
  const Json row = judge(
      altered("ambiguous-success-crash", R"({"mail/send_email": 1})", R"({"mail/send_email": 2})"),
      1);
  EXPECT_NE(string_or(row, "message", "").find("expect.effects: mail/send_email 1, expected 2"),
            std::string::npos)
      << dump_json(row);
}

TEST_F(RealRunTest, WhatIsNotAsExpectedFailsAndSaysHowToSeeItAgain) {
  const std::string file =
      altered("list-files-happy-path", "\"item_count\": 2", "\"item_count\": 3");
  const Json row = judge(file, 1);
  EXPECT_EQ(string_or(row, "verdict", ""), "fail");
  EXPECT_EQ(string_or(row, "message", ""), "expect.item_count: 2, expected 3");
  EXPECT_EQ(string_or(row, "reproduce", ""), "plumbline run " + file + " --real");
}

TEST_F(RealRunTest, WhatAProcessCannotShowIsSkippedWithTheReason) {
  const auto reason = [this](const std::string& name) {
    const Json row = judge(library(name), 0);
    EXPECT_EQ(string_or(row, "verdict", ""), "skip") << name;
    return string_or(row, "message", "");
  };
  EXPECT_EQ(reason("link-reset-in-mid-call"), "its faults are those of a simulated link");
  EXPECT_EQ(reason("slow-but-in-time"), "it takes 29 s, more than 10 s are left to the simulation");
  EXPECT_EQ(reason("crash-once-in-mid-call"),
            "server files counts over restarts, and a process forgets");
}

TEST_F(RealRunTest, ItComesToTheSameOverEverySocket) {
  for (const char* const over : {"http", "sse", "ws"}) {
    expect_pass(library("list-files-happy-path"), over);
    expect_pass(library("approved-email-runs-once"), over);
    expect_pass(library("one-server-down-one-up"), over);
  }
}

// A process that has crashed is started again by whoever dials it next.
TEST_F(RealRunTest, OverSocketsAServerThatDiesIsThereAgain) {
  expect_pass(library("ambiguous-success-crash"), "http");
  expect_pass(library("crash-at-every-call"), "ws");
}

TEST_F(RealRunTest, AServerWithoutSessionsIsMetOverHttpBehindItsProxy) {
  const std::string file = library("modern-server-over-http", "transports");
  expect_pass(file, "http");
  EXPECT_EQ(string_or(judge(file, 0, "ws"), "message", ""),
            "its world asks for another transport than ws");
  expect_pass(library("transport-is-found-out", "transports"), "http");
}

TEST_F(RealRunTest, SeveralUsersAreAnsweredAtOnce) {
  for (const char* const over : {"stdio", "http"}) {
    expect_pass(library("two-users-two-agents", "several"), over);
    expect_pass(library("two-users-of-one-agent", "several"), over);
  }
  EXPECT_EQ(
      string_or(judge(library("one-agent-dies-the-other-goes-on", "several"), 0), "message", ""),
      "its assistant fails in simulation only");
  const Json joins = judge(library("server-joins-between-requests", "several"), 0);
  EXPECT_EQ(string_or(joins, "message", ""),
            "server files joins or leaves at a time of the simulated world");
}

TEST_F(RealRunTest, ATransportIsOfTheRealWorldOnly) {
  const Outcome outcome = run({"run", library("list-files-happy-path"), "--transport", "http"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err,
            "plumbline: --transport: only --real and --client take one; in simulation the file "
            "says it [world.transport]\n");
}

}  // namespace
}  // namespace plumbline::cli
