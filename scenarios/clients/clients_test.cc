// Scripted clients against a server of ours: what the file says is what is done and judged.

#include <string>

#include <gtest/gtest.h>

#include "scenarios/clients/client_run.h"
#include "scenarios/format/format.h"
#include "scenarios/format/library_files.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {
namespace {

Result<Scenario> load_clients(const std::string& rest) {
  return load_scenario(R"({"plumbline": 1, "id": "s", "title": "T.", )" + rest + "}", "s.json");
}

RunResult run_clients_of(const std::string& rest, std::uint64_t seed = 1) {
  const Result<Scenario> scenario = load_clients(rest);
  EXPECT_TRUE(scenario.ok()) << scenario.error().message;
  RunOptions options;
  options.seed = seed;
  options.want.trace = true;
  options.want.outcome = true;
  return run_scenario(scenario.value(), options);
}

std::string told(const RunResult& result) {
  std::string all;
  for (const RunFailure& failure : result.failures) {
    all += failure.check + ": " + failure.message + '\n';
  }
  return all;
}

// The same client over every way in which a server of ours is served.
std::string pinging(const std::string& transport) {
  return R"("world": {"transport": ")" + transport + R"("}, "clients": {"eve": {"does": [
    {"request": {"method": "ping"}, "answer": {"result": {}}},
    {"request": {"method": "tools/call", "params": {"name": "add_numbers",
      "arguments": {"a": 1, "b": 2}}}, "answer": {"result": {"structuredContent": {"sum": 3}}},
      "keep": {"sum": "/result/structuredContent/sum"}},
    {"close": true}, {"wait_ms": 1}]}}, "expect": {"kept": {"sessions": 0}})";
}

TEST(ClientsTest, ReachAServerOfOursOverEveryTransport) {
  for (const char* const transport : {"bytes", "http", "sse", "ws"}) {
    const RunResult result = run_clients_of(pinging(transport));
    EXPECT_EQ(told(result), "") << transport << '\n' << result.trace;
    EXPECT_EQ(result.outcome["clients"]["eve.sum"], 3) << transport;
  }
}

TEST(ClientsTest, TheSameSeedGivesTheSameTrace) {
  for (const Scenario& scenario : library_scenarios()) {
    if (scenario.clients.empty()) continue;
    RunOptions options;
    options.seed = 7;
    options.want.trace_hash = true;
    const RunResult first = run_scenario(scenario, options);
    EXPECT_EQ(first.trace_hash, run_scenario(scenario, options).trace_hash) << scenario.id;
    options.seed = 8;
    EXPECT_NE(first.trace_hash, run_scenario(scenario, options).trace_hash) << scenario.id;
  }
}

TEST(ClientsTest, EveryExpectationCanFail) {
  const std::string http = R"("world": {"transport": "http"}, "clients": {"eve": {"does": [)";
  const std::pair<const char*, const char*> wrong[] = {
      {R"({"request": {"method": "ping"}, "answer": {"error": null}})", "step 1 (request)"},
      {R"({"request": {"method": "ping"}, "answer": null})", "expected no answer"},
      {R"({"http": {"method": "GET"}, "status": 200})", "status 400"},
      {R"({"hear": {"method": "ping"}, "within_ms": 10})", "heard nothing"},
      {R"({"send": {"method": "{{bob.x}}"}, "within_ms": 10})", "nobody has kept {{bob.x}}"},
      {R"({"request": {"method": "ping"}, "keep": {"x": "/result/y"}})", "/result/y is missing"},
  };
  for (const auto& [step, message] : wrong) {
    const std::string all = told(run_clients_of(http + step + "]}}"));
    EXPECT_NE(all.find("expect.clients: eve, step 1"), std::string::npos) << step << '\n' << all;
    EXPECT_NE(all.find(message), std::string::npos) << all;
  }
  const std::string open = http + R"({"open": true}]}}, "expect": {"kept": {"sessions": 2}})";
  EXPECT_EQ(told(run_clients_of(open)), "expect.kept: sessions 1, expected 2\n");
}

TEST(ClientsTest, WhatAClientKeepsAnotherCanUse) {
  const RunResult result = run_clients_of(R"("world": {"transport": "http"}, "clients": {
    "ann": {"begins_ms": 50, "does": [{"request": {"method": "tools/call", "params": {
      "name": "add_numbers", "arguments": {"a": 20, "b": 1}}},
      "keep": {"sum": "/result/structuredContent/sum"}}]},
    "bob": {"does": [{"request": {"method": "completion/complete", "params": {
      "ref": {"type": "ref/prompt", "name": "{{ann.sum}}"},
      "argument": {"name": "a", "value": "b"}}}, "answer": {"error": {"message": "*21*"}}}]}})");
  EXPECT_EQ(told(result), "") << result.trace;
}

std::string step_of(const std::string& step) {
  return R"("world": {"transport": "http"}, "clients": {"eve": {"does": [{)" + step + "}]}}";
}

TEST(ClientsTest, WhatCannotBeIsRefusedInOneLine) {
  const std::string eve = R"("clients": {"eve": {"does": []}})";
  const std::pair<std::string, const char*> wrong[] = {
      {eve, "expected \"transport\" bytes, http, sse or ws"},
      {R"("world": {"transport": "values"}, )" + eve, "a server of ours has no such transport"},
      {R"("world": {"transport": "http"}, "servers": {}, )" + eve, "stands beside \"clients\""},
      {R"("world": {"transport": "http"}, "clients": {"eve": {"does": [{}]}})", "one of open"},
      {R"("world": {"transport": "http"}, "clients": {"eve": {"does": [{"raw": "x"}]}})",
       "needs the transport \"bytes\""},
      {R"("world": {"transport": "ws"}, "clients": {"eve": {"does": [{"http": {}}]}})",
       "needs the transport \"http\" or \"sse\""},
      {R"("world": {"transport": "http"},
          "clients": {"eve": {"does": [{"open": true, "close": true}]}})",
       "a step does one thing"},
      {R"("world": {"transport": "http"}, "expect": {"kept": {"cats": 1}}, )" + eve, "cats"},
      {step_of(R"("http": {"methodzz": "DELETE"})"), "unknown key \"methodzz\""},
      {step_of(R"("http": {"method": 7})"), "expected a string"},
      {step_of(R"("http": {"headers": {"Accept": 7}})"), "expected a string"},
      {step_of(R"("request": {"method": "ping", "idx": 7})"), "unknown key \"idx\""},
      {step_of(R"("send": {"methd": "ping"})"), "unknown key \"methd\""},
      {step_of(R"("hear": {"methd": "ping"}, "answer": null)"), "unknown key \"methd\""},
      {step_of(R"("request": {"method": "ping"}, "status": 200)"), "\"status\" says nothing"},
      {step_of(R"("send": {"method": "ping"}, "answer": {})"), "\"answer\" says nothing"},
      {step_of(R"("hear": {"method": "ping"}, "answer": {})"), "\"answer\" says nothing"},
      {step_of(R"("wait_ms": 1, "keep": {"a": "/id"})"), "\"keep\" says nothing"},
  };
  for (const auto& [text, message] : wrong) {
    const Result<Scenario> scenario = load_clients(text);
    ASSERT_FALSE(scenario.ok()) << text;
    EXPECT_NE(scenario.error().message.find(message), std::string::npos)
        << scenario.error().message;
  }
}

}  // namespace
}  // namespace plumbline::scenarios
