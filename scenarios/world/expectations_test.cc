// Bounds, and what is expected of each request of several.

#include "scenarios/world/expectations.h"

#include <string>

#include <gtest/gtest.h>

#include "scenarios/format/format.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {

namespace {

// expecting returns a scenario of two requests, of which the second is answered by an error.
std::string expecting(const std::string& expect) {
  return R"({"plumbline": 1, "id": "s", "title": "T.",
    "request": {"input": "List the files", "times": 2},
    "servers": {"files": {"tools": [{"name": "list_files", "description": "List the files"}],
      "on": [{"method": "tools/call", "nth": 2, "do": [{"tool_error": "the disk is on fire"}]}]}},
    "expect": {"status": "failed", )" +
         expect + "}}";
}

std::string refusal_of(const std::string& expect) {
  const Result<Scenario> scenario = load_scenario(expecting(expect), "s.json");
  return scenario.ok() ? "" : scenario.error().message;
}

// failures_of returns what fails, a line each.
std::string failures_of(const std::string& expect) {
  const Result<Scenario> scenario = load_scenario(expecting(expect), "s.json");
  EXPECT_TRUE(scenario.ok()) << scenario.error().message;
  std::string out;
  for (const RunFailure& failure : run_scenario(scenario.value(), {}).failures) {
    out += failure.check + ": " + failure.message + '\n';
  }
  return out;
}

TEST(ExpectationsTest, ACountCanBeAnUpperBound) {
  EXPECT_EQ(failures_of(R"("requests": {"tools/call": {"at_most": 2}, "ping": {"at_most": 0}},
                           "starts": {"files": {"at_most": 3}})"),
            "");
  EXPECT_EQ(failures_of(R"("requests": {"tools/call": {"at_most": 1}})"),
            "expect.requests: tools/call 2, expected at most 1\n");
  EXPECT_EQ(failures_of(R"("requests": {"tools/call": 3})"),
            "expect.requests: tools/call 2, expected 3\n");
  EXPECT_NE(refusal_of(R"("requests": {"tools/call": {"at_least": 1}})").find("no \"at_most\""),
            std::string::npos);
}

TEST(ExpectationsTest, EachRequestCanBeExpectedToComeToSomething) {
  EXPECT_EQ(failures_of(R"("each": [{"status": "ok", "errors": 0},
                                    {"errors_contain": "on fire"}])"),
            "");
  EXPECT_EQ(failures_of(R"("each": [{"response_contains": "done"}])"), "");
  EXPECT_EQ(failures_of(R"("each": [{"status": "failed"}, {"selected": null}])"),
            "expect.status: request 1: \"ok\", expected \"failed\"\n"
            "expect.selected: request 2: \"files/list_files\", expected \"\"\n");
}

TEST(ExpectationsTest, EachIsRefusedWhereItCannotBeMeant) {
  EXPECT_NE(refusal_of(R"("each": [{}, {}, {}])").find("\"each\" has 3 items, expected at most 2"),
            std::string::npos);
  EXPECT_NE(refusal_of(R"("each": [{"requests": {}}])").find("unknown key \"requests\""),
            std::string::npos);
  EXPECT_NE(refusal_of(R"("each": {})").find("expected an array"), std::string::npos);
}

}  // namespace
}  // namespace plumbline::scenarios
