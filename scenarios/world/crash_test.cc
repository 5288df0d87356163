// The orchestrator dies anywhere between call, effect, result and checkpoint, and another one goes
// on: an effect happens at most once, and what the user is told is true.

#include <string>

#include <gtest/gtest.h>

#include "core/json/object_reader.h"
#include "fakes/sample_size.h"
#include "scenarios/format/format.h"
#include "scenarios/format/library_files.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {
namespace {

constexpr Transport kTransports[] = {Transport::kBytes, Transport::kValues, Transport::kHttp,
                                     Transport::kSse, Transport::kWebSocket};
constexpr std::int64_t kStep = kEachNth == 1 ? 1 : 5;

class CrashTest : public testing::Test {
 protected:
  RunResult run(const std::string& id, const std::vector<Crash>& crashes, Transport transport,
                std::uint64_t seed = 1, std::int64_t fail_operation = 0) {
    const Scenario& scenario = find_scenario(id);
    Weather weather = weather_of(scenario);
    weather.inner.crashes = crashes;
    weather.inner.fail_operation = fail_operation;
    RunOptions options;
    options.seed = seed;
    options.transport = transport;
    options.weather = &weather;
    options.want.state = true;
    RunResult result = run_scenario(scenario, options);
    for (const RunFailure& failure : result.failures) {
      ADD_FAILURE() << failure.check << ": " << failure.message;
    }
    return result;
  }

  // expect_truth holds what the user was told against what the servers have done.
  static void expect_truth(const RunResult& result) {
    const Json& output = result.state.at("final_output");
    const std::string said =
        string_or(output, "response", "") + string_or(output, "fallback_reason", "");
    EXPECT_LE(result.effects, 1);
    if (result.status == "ok") {
      EXPECT_EQ(result.effects, 1) << said;
    }
    if (result.status == "failed") {
      EXPECT_EQ(result.effects, 0) << said;
    }
    const bool in_doubt = said.find("not known") != std::string::npos;
    if (result.status != "ok" && result.effects > 0) {
      EXPECT_TRUE(in_doubt) << said;
    }
  }
};

TEST_F(CrashTest, AnEmailIsSentAtMostOnceWhereverTheOrchestratorDies) {
  std::int64_t in_doubt = 0;
  std::int64_t done = 0;
  for (const CrashPointInfo& point : all_crash_points()) {
    for (std::int64_t nth = 1; nth <= 14; nth += kStep) {
      for (const Transport transport : kTransports) {
        SCOPED_TRACE(std::string(point.name) + " " + std::to_string(nth) + " over " +
                     std::to_string(static_cast<int>(transport)));
        const Crash crash{point.point, nth, {}, std::chrono::seconds(1)};
        const RunResult result = run("approved-email-runs-once", {crash}, transport);
        expect_truth(result);
        in_doubt += result.status == "needs_review" ? 1 : 0;
        done += result.status == "ok" ? 1 : 0;
      }
      if (point.point != CrashPoint::kBeforeCheckpoint &&
          point.point != CrashPoint::kAfterCheckpoint) {
        break;
      }
    }
  }
  EXPECT_GE(in_doubt, 15 / kStep);
  EXPECT_GE(done, 100 / kStep);
}

TEST_F(CrashTest, AnEmailIsSentAtMostOnceWhateverCannotBeKept) {
  std::int64_t in_doubt = 0;
  for (const char* const id : {"approved-email-runs-once", "rate-limited-write-runs-once"}) {
    for (const CrashPointInfo& point : all_crash_points()) {
      const bool many = point.point == CrashPoint::kBeforeCheckpoint ||
                        point.point == CrashPoint::kAfterCheckpoint;
      for (std::int64_t nth = 1; nth <= (many ? 12 : 2); ++nth) {
        for (std::int64_t operation = 1; operation <= 26; operation += kStep) {
          SCOPED_TRACE(std::string(id) + ", " + std::string(point.name) + " " +
                       std::to_string(nth) + ", operation " + std::to_string(operation));
          const Crash crash{point.point, nth, {}, std::chrono::seconds(1)};
          const RunResult result = run(id, {crash}, Transport::kValues, 1, operation);
          expect_truth(result);
          in_doubt += result.status == "needs_review" ? 1 : 0;
          if (HasFailure()) return;
        }
      }
    }
  }
  EXPECT_GE(in_doubt, 100 / kStep);
}

TEST_F(CrashTest, ItMayDieAgainAndAgain) {
  for (const CrashPointInfo& first : all_crash_points()) {
    for (const CrashPointInfo& second : all_crash_points()) {
      SCOPED_TRACE(std::string(first.name) + ", " + std::string(second.name));
      const std::int64_t again = first.point == second.point ? 2 : 1;
      expect_truth(run("approved-email-runs-once",
                       {Crash{first.point, 1, {}, {}}, Crash{second.point, again, {}, {}}},
                       Transport::kBytes));
    }
  }
}

TEST_F(CrashTest, ItMayDieAtAnyTime) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const Duration at = std::chrono::milliseconds(seed * 7);
    for (const Transport transport : kTransports) {
      run("ambiguous-success-late", {Crash{std::nullopt, 1, at, std::chrono::seconds(1)}},
          transport, seed);
    }
  }
}

TEST_F(CrashTest, TheSameCrashGivesTheSameRun) {
  const Crash crash{CrashPoint::kAfterEffect, 1, {}, std::chrono::seconds(1)};
  const RunResult one = run("approved-email-runs-once", {crash}, Transport::kBytes);
  const RunResult two = run("approved-email-runs-once", {crash}, Transport::kBytes);
  EXPECT_EQ(one.unseed, two.unseed);
  EXPECT_EQ(one.effects, 1);
  EXPECT_EQ(one.status, "needs_review");
}

TEST(InnerFaultsTest, AreWrittenAsTheyAreRead) {
  const Json file = Json::parse(R"([
    {"do": "crash_orchestrator", "at": "after_effect", "nth": 2, "for_ms": 500},
    {"do": "crash_orchestrator", "at_ms": 30},
    {"do": "fail_operation", "nth": 12}])");
  InnerFaults read;
  std::optional<Problem> problem;
  for (const Json& entry : file) {
    ASSERT_TRUE(is_inner_fault(entry));
    read_inner_fault(entry, "/faults/0", read, problem);
  }
  ASSERT_FALSE(problem) << problem->message;
  EXPECT_EQ(Json(fault_entries(read)), file);
  EXPECT_FALSE(is_inner_fault(Json::parse(R"({"do": "stall"})")));
}

TEST(InnerFaultsTest, ADefectIsPlantedByItsName) {
  InnerFaults inner;
  EXPECT_FALSE(plant("hub.reopen", inner));
  EXPECT_TRUE(plant("retry-unknown-outcome", inner));
  EXPECT_EQ(plant_options(inner), " --plant retry-unknown-outcome");
}

TEST(InnerFaultsTest, WhatIsWrongIsNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"do": "crash_orchestrator"})", "at_ms"},
      {R"({"do": "crash_orchestrator", "at": "noon"})", "noon"},
      {R"({"do": "fail_operation"})", "nth"},
      {R"({"do": "fail_operation", "nth": 0})", "nth"},
      {R"({"do": "fail_operation", "nth": 1, "server": "mail"})", "server"}};
  for (const auto& [text, named] : cases) {
    InnerFaults read;
    std::optional<Problem> problem;
    read_inner_fault(Json::parse(text), "/faults/0", read, problem);
    ASSERT_TRUE(problem) << text;
    EXPECT_NE((problem->pointer + problem->message).find(named), std::string::npos)
        << problem->message;
  }
  InnerFaults read;
  std::optional<Problem> problem;
  read_rare(Json::parse(R"(["hub.reopen", "hub.dance"])"), read, problem);
  ASSERT_TRUE(problem);
  EXPECT_NE(problem->message.find("hub.dance"), std::string::npos) << problem->message;
}

TEST(InnerFaultsTest, NoChoiceIsNoFaultAndSomeSeedsDrawEach) {
  InnerFaults calm;
  fakes::Choices nothing{std::vector<std::uint64_t>()};
  draw_inner_faults(nothing, {""}, calm);
  EXPECT_FALSE(calm.any());
  std::int64_t crashes = 0;
  std::int64_t failures = 0;
  std::int64_t rares = 0;
  for (std::uint64_t seed = 1; seed <= 1'000; ++seed) {
    InnerFaults drawn;
    fakes::Choices choices{Rng(seed)};
    draw_inner_faults(choices, {""}, drawn);
    crashes += drawn.crashes.empty() ? 0 : 1;
    failures += drawn.fail_operation > 0 ? 1 : 0;
    rares += drawn.rare.empty() ? 0 : 1;
    for (const std::string& name : drawn.rare) EXPECT_FALSE(name.starts_with("plant.")) << name;
  }
  EXPECT_GT(crashes, 40);
  EXPECT_GT(failures, 30);
  EXPECT_GT(rares, 150);
}

}  // namespace
}  // namespace plumbline::scenarios
