// A scenario whose server speaks 2026-07-28 comes to the same over every transport.

#include <string>

#include <gtest/gtest.h>

#include "scenarios/format/format.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {

namespace {

constexpr std::string_view kModern = R"({
  "plumbline": 1, "id": "s", "title": "T.",
  "request": {"input": "List the files", "times": 2, "pause_ms": 100},
  "servers": {"files": {"revision": "2026-07-28",
    "tools": [{"name": "list_files", "description": "List the files"}]}},
  "world": {"revision": "2026-07-28"},
  "expect": {"status": "ok", "selected": "files/list_files", "errors": 0,
             "requests": {"server/discover": 1, "initialize": 0, "tools/call": 2},
             "starts": {"files": 1}}
})";

class StatelessScenarioTest : public testing::TestWithParam<Transport> {};

TEST_P(StatelessScenarioTest, ComesOutOverEveryTransport) {
  const Result<Scenario> scenario = load_scenario(kModern, "s.json");
  ASSERT_TRUE(scenario.ok()) << scenario.error().message;
  RunOptions options;
  options.transport = GetParam();
  options.want.trace = true;
  const RunResult result = run_scenario(scenario.value(), options);
  for (const RunFailure& failure : result.failures) {
    ADD_FAILURE() << failure.check << ": " << failure.message << "\n" << result.trace;
  }
  EXPECT_NE(result.trace.find("\"resultType\":\"complete\""), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, StatelessScenarioTest,
                         testing::Values(Transport::kBytes, Transport::kValues, Transport::kHttp,
                                         Transport::kWebSocket, Transport::kAuto));

// HTTP+SSE is a transport of sessions: a file that asks for both is a mistake.
TEST(StatelessRefusalTest, IsRefusedOverHttpAndSse) {
  std::string text(kModern);
  const std::string world = R"("world": {)";
  text.replace(text.find(world), world.size(), R"("world": {"transport": "sse", )");
  const Result<Scenario> scenario = load_scenario(text, "s.json");
  ASSERT_FALSE(scenario.ok());
  EXPECT_NE(scenario.error().message.find("s.json:4:"), std::string::npos);
  EXPECT_NE(scenario.error().message.find("HTTP+SSE has sessions and 2026-07-28 has none"),
            std::string::npos)
      << scenario.error().message;
}

}  // namespace
}  // namespace plumbline::scenarios
