// What a client says in HTTP headers: rules match it, and the trace tells it without secrets.

#include <string>

#include <gtest/gtest.h>

#include "scenarios/format/format.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {

namespace {

RunResult run_with(const std::string& match, const std::string& invariants = "[]") {
  const Result<Scenario> scenario = load_scenario(
      R"({"plumbline": 1, "id": "s", "title": "T.", "request": {"input": "List the files"},
          "secrets": ["pay-by-card"],
          "servers": {"files": {"tools": [{"name": "list_files", "description": "List the files"}],
            "http": {"client_headers": {"Authorization": "Bearer abcdef", "X-Plan": "pay-by-card",
                                        "X-Team": "blue"},
                     "rules": [{"method": "tools/call", "request_headers": )" +
          match + R"(, "do": {"status": 503}}]}}},
          "world": {"transport": "http"}, "invariants": )" +
          invariants + R"(, "expect": {"status": "ok", "errors": 0}})",
      "s.json");
  EXPECT_TRUE(scenario.ok()) << scenario.error().message;
  RunOptions options;
  options.want.trace = true;
  options.want.outcome = true;
  return run_scenario(scenario.value(), options);
}

TEST(RequestHeadersTest, ARuleMatchesThem) {
  for (const char* const match :
       {R"({"authorization": "Bearer abc*"})", R"({"X-Team": "b*u*", "X-None": null})",
        R"({"X-Plan": "*"})", R"({})"}) {
    EXPECT_TRUE(run_with(match).rules_used.at(0)) << match;
  }
  for (const char* const match : {R"({"Authorization": "Bearer"})", R"({"X-Team": "*green*"})",
                                  R"({"X-Team": null})", R"({"X-None": "*"})"}) {
    EXPECT_FALSE(run_with(match).rules_used.at(0)) << match;
  }
}

TEST(RequestHeadersTest, TheTraceTellsThemAndNoSecret) {
  const std::string trace = run_with(R"({"X-None": "1"})").trace;
  EXPECT_NE(trace.find(R"("kind":"exchange","who":"files","detail":{"headers":{)"),
            std::string::npos)
      << trace;
  EXPECT_NE(trace.find(R"("Authorization":"[redacted]")"), std::string::npos);
  EXPECT_NE(trace.find(R"("X-Team":"blue")"), std::string::npos);
  EXPECT_EQ(trace.find("abcdef"), std::string::npos);
  EXPECT_EQ(trace.find("pay-by-card"), std::string::npos);
}

TEST(RequestHeadersTest, AnInvariantOfTheFileCanBeAboutThem) {
  const std::string versions = R"([
    {"name": "says-its-version", "eventually":
      {"event": "exchange", "detail": {"headers": {"MCP-Protocol-Version": "2025-*"}}}},
    {"name": "is-blue", "never":
      {"event": "exchange", "detail": {"headers": {"X-Team": "blue"}}}}])";
  const RunResult result = run_with(R"({"X-None": "1"})", versions);
  ASSERT_EQ(result.failures.size(), 1U);
  EXPECT_EQ(result.failures[0].check, "property.is-blue");
}

}  // namespace
}  // namespace plumbline::scenarios
