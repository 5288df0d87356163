#include <gtest/gtest.h>

#include "scenarios/format/format.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {
namespace {

// Two servers of which each sends a burst at once, so that much is due at the same instant.
std::string busy_world(const std::string& order) {
  return R"({"plumbline": 1, "id": "busy", "title": "Two servers talk at once.",
    "request": {"input": "List the files in the managed project folder."},
    "servers": {
      "a": {"tools": [{"name": "list_directory", "description": "List the files of a folder",
        "inputSchema": {"type": "object"},
        "does": [{"notify": {"method": "notifications/message",
          "params": {"level": "info", "data": 1}}},
                 {"notify": {"method": "notifications/message",
                   "params": {"level": "info", "data": 2}}},
                 {"delay_ms": 5},
                 {"reply": {"content": [{"type": "text", "text": "sample.txt"}]}}]}]},
      "b": {"tools": [{"name": "weather", "description": "Tell the weather",
        "inputSchema": {"type": "object"}}],
        "on": [{"method": "tools/list", "do": [
          {"notify": {"method": "notifications/message", "params": {"level": "info", "data": 3}}},
          {"notify": {"method": "notifications/message",
            "params": {"level": "info", "data": 4}}}]}]}
    },
    "world": {)" +
         order + R"(},
    "expect": {"status": "ok"}})";
}

RunResult run(const std::string& order, std::uint64_t seed) {
  const Result<Scenario> scenario = load_scenario(busy_world(order), "busy.json");
  EXPECT_TRUE(scenario.ok()) << scenario.error().message;
  RunOptions options;
  options.seed = seed;
  options.want.trace_hash = true;
  options.want.schedule = true;
  return run_scenario(scenario.value(), options);
}

TEST(ScheduleTest, AWorldUnderThePicksOfAPermutedOneGoesTheSameWay) {
  for (const std::string transport : {"\"bytes\"", "\"values\"", "\"http\""}) {
    const std::string world = "\"transport\": " + transport;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const RunResult drawn = run(world + ", \"order\": \"permuted\"", seed);
      EXPECT_FALSE(drawn.schedule.empty());
      const std::string places = dump_json(Json(drawn.schedule));
      const RunResult again = run(world + ", \"schedule\": " + places, seed);
      EXPECT_EQ(again.trace_hash, drawn.trace_hash);
      EXPECT_EQ(again.schedule, drawn.schedule);
    }
  }
}

TEST(ScheduleTest, AnEmptyScheduleIsTheOrderInWhichThingsCameAbout) {
  EXPECT_EQ(run("\"schedule\": []", 1).trace_hash, run("\"order\": \"fifo\"", 1).trace_hash);
  EXPECT_NE(run("\"schedule\": [1, 1, 1, 1]", 1).trace_hash,
            run("\"order\": \"fifo\"", 1).trace_hash);
}

TEST(ScheduleTest, AWrongScheduleIsRefused) {
  for (const std::string wrong : {"\"schedule\": 1", "\"schedule\": [-1]", "\"schedule\": [0.5]",
                                  "\"schedule\": [0], \"order\": \"fifo\""}) {
    EXPECT_FALSE(load_scenario(busy_world(wrong), "busy.json").ok()) << wrong;
  }
}

}  // namespace
}  // namespace plumbline::scenarios
