#include "scenarios/sweep/explore.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "scenarios/format/format.h"

namespace plumbline::scenarios {
namespace {

Scenario scenario_of(const std::string& rest) {
  const Result<Scenario> scenario = load_scenario(
      R"({"plumbline": 1, "id": "small", "title": "A small world.",
          "request": {"input": "List the files in the managed project folder."},)" +
          rest + '}',
      "small.json");
  EXPECT_TRUE(scenario.ok()) << scenario.error().message;
  return scenario.value();
}

// A server whose connection breaks at the very instant at which it answers: whether the answer was
// heard is a matter of order.
const char* const kResetAtReply = R"("servers": {"files": {"tools": [
    {"name": "list_directory", "description": "List the files of a folder",
     "inputSchema": {"type": "object"},
     "does": [{"delay_ms": 5}, {"reply": {"content": [{"type": "text", "text": "a.txt"}]}}]}]}},
  "faults": [{"server": "files", "do": "reset", "at_ms": 5}],
  "world": {"transport": "values"},)";

TEST(ExploreTest, ABugOfOneOrderIsFoundAndItsScheduleRepeatsIt) {
  const std::string text =
      std::string(kResetAtReply) + R"("expect": {"status": "ok", "starts": {"files": 2}})";
  const Scenario scenario = scenario_of(text);
  const RunResult fifo = run_scenario(scenario, RunOptions());
  ASSERT_TRUE(fifo.failures.empty()) << fifo.failures.front().message;
  const Explored explored = explore_orders(scenario);
  ASSERT_TRUE(explored.failure);
  EXPECT_EQ(explored.failure->failures.front().check, "expect.starts");
  Scenario again = scenario;
  again.world.order = fakes::Order::kChosen;
  again.world.schedule = explored.failure->schedule;
  EXPECT_EQ(run_scenario(again, RunOptions()).failures, explored.failure->failures);
}

TEST(ExploreTest, AllOrdersPassWhereNoneMatters) {
  const Explored explored =
      explore_orders(scenario_of(std::string(kResetAtReply) + R"("expect": {"status": "ok"})"));
  EXPECT_TRUE(explored.complete);
  EXPECT_FALSE(explored.failure);
  EXPECT_GT(explored.orders, 1U);
}

const char* const kTwoServers = R"("servers": {
    "a": {"tools": [{"name": "list_directory", "description": "List the files of a folder",
      "inputSchema": {"type": "object"},
      "does": [{"notify": {"method": "notifications/message",
        "params": {"level": "info", "data": 1}}},
               {"reply": {"content": [{"type": "text", "text": "sample.txt"}]}}]}]},
    "b": {"tools": [{"name": "weather", "description": "Tell the weather",
      "inputSchema": {"type": "object"}}],
      "on": [{"method": "tools/list", "do": [
        {"notify": {"method": "notifications/message",
          "params": {"level": "info", "data": 3}}}]}]}},
  "expect": {"status": "any"})";

// outcomes_of returns what came of every order: the last state and the number of effects.
std::set<std::string> outcomes_of(const Scenario& scenario, ExploreOptions options,
                                  Explored& explored) {
  std::set<std::string> outcomes;
  options.see = [&outcomes](const RunResult& result) {
    outcomes.insert(result.status + ' ' + std::to_string(result.effects) + ' ' +
                    std::to_string(result.route.size()));
  };
  explored = explore_orders(scenario, options);
  return outcomes;
}

TEST(ExploreTest, OfOrdersThatDifferInServersAloneOneIsRun) {
  for (const Transport transport : {Transport::kValues}) {
    const Scenario scenario = scenario_of(kTwoServers);
    ExploreOptions options;
    options.transport = transport;
    Explored fewer;
    const std::set<std::string> of_fewer = outcomes_of(scenario, options, fewer);
    options.reduces = false;
    Explored all;
    const std::set<std::string> of_all = outcomes_of(scenario, options, all);
    EXPECT_TRUE(fewer.complete && all.complete);
    EXPECT_EQ(of_fewer, of_all);
    EXPECT_LT(fewer.orders, all.orders) << fewer.worlds;
  }
}

TEST(ExploreTest, TheBoundOfWorldsEndsItAndIsToldApart) {
  ExploreOptions options;
  options.worlds_max = 1;
  const Explored explored = explore_orders(scenario_of(kTwoServers), options);
  EXPECT_FALSE(explored.complete);
  EXPECT_EQ(explored.worlds, 1U);
}

}  // namespace
}  // namespace plumbline::scenarios
