#include "scenarios/sweep/seed_runs.h"

#include <string>

#include <gtest/gtest.h>

#include "scenarios/format/format.h"
#include "scenarios/format/library_files.h"

namespace plumbline::scenarios {

namespace {

std::vector<Scenario> load(std::string_view text) {
  Result<Scenario> scenario = load_scenario(text, "s.json");
  EXPECT_TRUE(scenario.ok()) << scenario.error().message;
  std::vector<Scenario> out;
  out.push_back(std::move(scenario).value());
  return out;
}

// Depends on the seed: the answer comes within 50 ms for about half of the seeds.
std::vector<Scenario> seed_dependent() {
  return load(R"({
    "plumbline": 1, "id": "s", "title": "T.", "request": {"input": "List the files"},
    "servers": {"files": {"tools": [{"name": "list_files", "description": "List the files"}]}},
    "world": {"latency_ms": [1, 20]},
    "expect": {"status": "ok", "virtual_ms_max": 80}
  })");
}

TEST(SeedRunsTest, TheNumberOfJobsChangesNothing) {
  const std::vector<Scenario> scenarios = seed_dependent();
  SeedRunsOptions options;
  options.seeds = {1, 100};
  options.transport = Transport::kValues;
  const std::vector<SeedRuns> alone = run_seeds(scenarios, options);
  ASSERT_EQ(alone[0].runs, 100U);
  ASSERT_GT(alone[0].failed, 0U);
  ASSERT_LT(alone[0].failed, 100U);
  for (const int jobs : {2, 5}) {
    options.jobs = jobs;
    const std::vector<SeedRuns> together = run_seeds(scenarios, options);
    EXPECT_EQ(together[0].runs, alone[0].runs);
    EXPECT_EQ(together[0].failed, alone[0].failed);
    EXPECT_EQ(together[0].fingerprint, alone[0].fingerprint);
    EXPECT_EQ(together[0].answered_after_max, alone[0].answered_after_max);
    EXPECT_EQ(together[0].first_failure->seed, alone[0].first_failure->seed);
    EXPECT_EQ(to_check_result(scenarios[0], together[0]).message,
              to_check_result(scenarios[0], alone[0]).message);
  }
}

TEST(SeedRunsTest, AFailureNamesItsSeedAndHowToRepeatIt) {
  const std::vector<Scenario> scenarios = seed_dependent();
  SeedRunsOptions options;
  options.seeds = {1, 100};
  const SeedRuns runs = run_seeds(scenarios, options)[0];
  const CheckResult row = to_check_result(scenarios[0], runs);
  const std::string seed = std::to_string(runs.first_failure->seed);
  EXPECT_EQ(row.id, "s");
  EXPECT_EQ(row.verdict, Verdict::kFail);
  EXPECT_EQ(row.reproduce, "plumbline run s.json --seed " + seed);
  EXPECT_NE(row.message.find("seed " + seed + " is the first of "), std::string::npos)
      << row.message;
  EXPECT_NE(row.message.find("expect.virtual_ms_max: answered after"), std::string::npos);

  RunOptions again;
  again.seed = runs.first_failure->seed;
  EXPECT_EQ(run_scenario(scenarios[0], again).failures, runs.first_failure->failures);
}

TEST(SeedRunsTest, AStoppedSweepSaysHowFarItCame) {
  const std::vector<Scenario> scenarios = load(R"({
    "plumbline": 1, "id": "s", "title": "T.", "request": {"input": "Hello"},
    "expect": {"status": "answered_without_mcp"}
  })");
  bool stop = false;
  SeedRunsOptions options;
  options.seeds = {1, 1'000'000};
  options.stop = [&stop] { return stop; };
  std::uint64_t told = 0;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_GE(done, told);
    EXPECT_EQ(total, 1'000'000U);
    told = done;
    if (done >= 64) stop = true;
  };
  const SeedRuns runs = run_seeds(scenarios, options)[0];
  EXPECT_EQ(runs.runs, 64U);
  const CheckResult row = to_check_result(scenarios[0], runs);
  EXPECT_EQ(row.verdict, Verdict::kInconclusive);
  EXPECT_EQ(row.message, "stopped after 64 of 1000000 seeds");
}

TEST(SeedRunsTest, ManyScenariosKeepTheirOrder) {
  const std::vector<Scenario> library = sampled_scenarios();
  SeedRunsOptions options;
  options.jobs = 3;
  const std::vector<SeedRuns> all = run_seeds(library, options);
  ASSERT_EQ(all.size(), library.size());
  for (std::size_t i = 0; i < library.size(); ++i) {
    const CheckResult row = to_check_result(library[i], all[i]);
    EXPECT_EQ(row.id, library[i].id);
    EXPECT_EQ(row.area, library[i].folder);
    EXPECT_EQ(row.title, library[i].title);
    EXPECT_EQ(row.reproduce.empty(), row.verdict == Verdict::kPass);
  }
}

}  // namespace
}  // namespace plumbline::scenarios
