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
  Json judge(const std::string& file, int expected_code) {
    const Outcome outcome = run({"run", file, "--real", "--report", "json=-"});
    EXPECT_EQ(outcome.code, expected_code) << outcome.out << outcome.err;
    const Result<Json> report = parse_json(outcome.out);
    const Json* const row = report.ok() ? at_pointer(report.value(), "/results/0") : nullptr;
    return row == nullptr ? Json::object() : *row;
  }

  static std::string library(const std::string& name) {
    return std::string(SOURCE_ROOT) + "/scenarios/library/basics/" + name + ".json";
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

}  // namespace
}  // namespace plumbline::cli
