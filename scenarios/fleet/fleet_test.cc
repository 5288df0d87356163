// Fleets as scenario files, and a judge that sees what is wrong.

#include "scenarios/fleet/fleet_run.h"

#include <string>

#include <gtest/gtest.h>

#include "fakes/world/sim_loop.h"
#include "scenarios/fleet/fleet_judge.h"
#include "scenarios/fleet/fleet_world.h"
#include "scenarios/format/format.h"
#include "scenarios/format/library_files.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {
namespace {

using std::chrono::seconds;

Result<Scenario> fleet_of(const std::string& members) {
  return load_scenario(R"({"plumbline": 1, "id": "f", "title": "A fleet.", )" + members + "}",
                       "f.json");
}

RunResult run_fleet_of(const std::string& members, std::uint64_t seed = 1) {
  const Result<Scenario> scenario = fleet_of(members);
  check(scenario.ok(), scenario.ok() ? "" : scenario.error().message.c_str());
  RunOptions options;
  options.seed = seed;
  options.want.outcome = options.want.trace_hash = true;
  return run_scenario(scenario.value(), options);
}

std::string told_of_fleet(const RunResult& result) {
  std::string all;
  for (const RunFailure& failure : result.failures) {
    all += failure.check + ": " + failure.message + '\n';
  }
  return all;
}

// A small fleet in which much goes wrong.
constexpr const char* kSmallFleet = R"(
  "fleet": {
    "agents": 12, "lasts_ms": 240000, "heals_ms": 150000, "registry_every_ms": 20000,
    "connector": {"connections_max": 9, "requests_per_second": 3, "burst": 5,
                  "heartbeat_ms": 10000, "idle_ms_max": 60000, "request_ms_max": 4000},
    "callers": {"ann": {"calls_per_second": 4}, "bob": {"workers": 2, "changes_things": true}},
    "troubles": [
      {"what": "down", "agents": [0, 3], "at_ms": 5000, "for_ms": 20000, "every_ms": 60000,
       "spread_ms": 20000},
      {"what": "half", "agents": [2, 5], "at_ms": 5000, "for_ms": 60000, "spread_ms": 20000},
      {"what": "hangs", "agents": [4, 6], "at_ms": 9000, "for_ms": 30000},
      {"what": "slow", "agents": [6, 8], "at_ms": 1000, "for_ms": 90000, "by_ms": 900},
      {"what": "throttled", "agents": [7, 9], "at_ms": 1000, "for_ms": 60000},
      {"what": "certificate", "agents": [10, 10], "at_ms": 30000, "for_ms": 20000},
      {"what": "restarts", "agents": [9, 11], "at_ms": 10000, "every_ms": 20000},
      {"what": "changes_tools", "agents": [0, 11], "at_ms": 12000, "every_ms": 30000},
      {"what": "is_removed", "agents": [11, 11], "at_ms": 40000, "for_ms": 15000},
      {"what": "registry_lies", "at_ms": 30000, "for_ms": 30000},
      {"what": "registry_hangs", "at_ms": 70000, "for_ms": 30000},
      {"what": "registry_shrinks", "at_ms": 110000, "for_ms": 30000}]})";

TEST(FleetTest, WhateverGoesWrongTheInvariantsHold) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RunResult result = run_fleet_of(kSmallFleet, seed);
    EXPECT_EQ(told_of_fleet(result), "") << "seed " << seed << '\n' << dump_json(result.outcome);
  }
}

TEST(FleetTest, TheSameSeedGivesTheSameTraceAndAnotherAnother) {
  const RunResult first = run_fleet_of(kSmallFleet, 7);
  const RunResult again = run_fleet_of(kSmallFleet, 7);
  EXPECT_EQ(first.trace_hash, again.trace_hash);
  EXPECT_EQ(first.unseed, again.unseed);
  EXPECT_NE(first.trace_hash, run_fleet_of(kSmallFleet, 8).trace_hash);
}

TEST(FleetTest, WhatIsExpectedIsHeldAgainstWhatCame) {
  const RunResult result = run_fleet_of(R"(
    "fleet": {"agents": 2, "lasts_ms": 60000, "heals_ms": 30000,
              "connector": {"connections_max": 9, "request_ms_max": 2000},
              "callers": {"ann": {"calls_per_second": 5}},
              "troubles": [{"what": "hangs", "at_ms": 1000, "for_ms": 29000}]},
    "expect": {"answered_percent_min": 99, "recovers_ms_max": 1})");
  EXPECT_NE(told_of_fleet(result).find("expect.answered_percent_min"), std::string::npos)
      << told_of_fleet(result);
  EXPECT_NE(told_of_fleet(result).find("expect.recovers_ms_max"), std::string::npos)
      << told_of_fleet(result);
}

TEST(FleetTest, WhatIsWrongInAFileIsOneLine) {
  const auto problem = [](const std::string& fleet) {
    const Result<Scenario> read = fleet_of(R"("fleet": )" + fleet);
    return read.ok() ? std::string() : read.error().message;
  };
  EXPECT_NE(problem(R"({"agents": 2, "lasts_ms": 1})").find("callers"), std::string::npos);
  EXPECT_NE(
      problem(R"({"agents": 0, "lasts_ms": 1, "callers": {"a": {"workers": 1}}})").find("agents"),
      std::string::npos);
  EXPECT_NE(problem(R"({"agents": 2, "lasts_ms": 1, "callers": {"a": {}}})").find("expected one"),
            std::string::npos);
  EXPECT_NE(problem(R"({"agents": 2, "lasts_ms": 1, "callers": {"a": {"workers": 1}},
                        "troubles": [{"what": "down", "agents": [1, 2]}]})")
                .find("[0, 1]"),
            std::string::npos);
  EXPECT_NE(problem(R"({"agents": 2, "lasts_ms": 1, "callers": {"a": {"workers": 1}},
                        "troubles": [{"what": "sleeps"}]})")
                .find("what"),
            std::string::npos);
}

// FleetJudgeTest tells the judge of what a wrong connector would do.
class FleetJudgeTest : public testing::Test {
 protected:
  FleetJudgeTest() {
    fleet_.agents = 2;
    fleet_.connector.pool.connections_max = 1;
    fleet_.connector.rate.enabled = true;
    fleet_.connector.rate.requests_per_second = 1;
    fleet_.connector.rate.burst_capacity = 2;
    fleet_.callers.push_back({"ann", 1, 0, false});
    world_.emplace(loop_, fleet_, judge_, Rng(1), nullptr);
  }

  static Json call(const std::string& principal, const std::string& key = "") {
    Json message = {{"id", 1}, {"method", "tools/call"}};
    message["params"]["arguments"] = {{"principal", principal}, {"key", key}};
    return message;
  }

  std::string broken() const {
    std::string all;
    for (const RunFailure& failure : judge_.failures()) all += failure.check + ' ';
    return all;
  }

  fakes::SimLoop loop_;
  FleetSpec fleet_;
  FleetJudge judge_{loop_, fleet_};
  std::optional<FleetWorld> world_;
};

TEST_F(FleetJudgeTest, NothingIsBrokenByWhatIsRight) {
  judge_.on_opened(world_->agent(0), "ann");
  judge_.on_sent(world_->agent(0), "ann", call("ann"));
  judge_.call_ended(fleet_.callers[0], fleet_.call_time_max, true);
  judge_.finish();
  EXPECT_EQ(broken(), "");
}

TEST_F(FleetJudgeTest, ATooManyConnectionIsSeen) {
  judge_.on_opened(world_->agent(0), "ann");
  judge_.on_opened(world_->agent(1), "ann");
  EXPECT_EQ(broken(), "invariant.fleet-bounded-connections ");
}

TEST_F(FleetJudgeTest, TwoRequestsBeyondTheLimitAreSeenAndOneIsNot) {
  for (int i = 0; i < 3; ++i) judge_.on_sent(world_->agent(0), "ann", call("ann"));
  EXPECT_EQ(broken(), "");
  judge_.on_sent(world_->agent(0), "ann", call("ann"));
  EXPECT_EQ(broken(), "invariant.fleet-limit-holds ");
}

TEST_F(FleetJudgeTest, ACallOverAnothersConnectionIsSeen) {
  judge_.on_sent(world_->agent(0), "bob", call("ann"));
  EXPECT_EQ(broken(), "invariant.fleet-no-shared-session ");
}

TEST_F(FleetJudgeTest, ACallToAnUnhealthyAgentIsSeen) {
  judge_.on_sent(world_->agent(0), "ann", call("ann"));
  EXPECT_EQ(broken(), "");
  for (int i = 0; i < 9; ++i) world_->connector().health().note("agent-0", seconds(1), true);
  judge_.on_sent(world_->agent(0), "ann", call("ann"));
  EXPECT_EQ(broken(), "invariant.fleet-unhealthy-gets-probes-alone ");
}

TEST_F(FleetJudgeTest, ACallToOneThatWasTakenOutIsSeen) {
  world_->connector().remove("agent-0");
  judge_.on_sent(world_->agent(0), "ann", call("ann"));
  EXPECT_EQ(broken(), "invariant.fleet-removed-is-left-alone ");
}

TEST_F(FleetJudgeTest, WhatRunsTwiceIsSeen) {
  for (const std::size_t agent : {0U, 1U}) {
    judge_.on_executed(world_->agent(agent), call("ann", "pay 7")["params"]);
  }
  EXPECT_EQ(broken(), "invariant.fleet-no-change-twice ");
}

TEST_F(FleetJudgeTest, ACallThatIsToldTooLateIsSeen) {
  judge_.call_ended(fleet_.callers[0], fleet_.call_time_max + Duration(1), false);
  EXPECT_EQ(broken(), "invariant.fleet-no-starvation ");
}

}  // namespace
}  // namespace plumbline::scenarios
