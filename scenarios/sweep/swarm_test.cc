#include "scenarios/sweep/swarm.h"
#include "fakes/sample_size.h"

#include <atomic>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "scenarios/format/library_files.h"

namespace plumbline::scenarios {

namespace {

// Every 17th world fails, every 50th in another way; all are too small to take time.
WorldRun toy_world(const Scenario& scenario, std::uint64_t seed, Profile, const Want& want) {
  WorldRun run;
  run.result.seed = seed;
  run.result.unseed = seed * 3;
  run.result.status = "ok";
  if (want.trace_hash) run.result.trace_hash = std::string(48, 'a') + std::to_string(seed);
  if (seed % 17 == 0) run.result.failures.push_back({"invariant.a", scenario.id});
  if (seed % 50 == 0) run.result.failures.push_back({"invariant.b", scenario.id});
  return run;
}

std::vector<Scenario> three() {
  std::vector<Scenario> out;
  for (const char* id : {"c", "a", "b"}) {
    Scenario scenario;
    scenario.id = id;
    scenario.file = std::string(id) + ".json";
    scenario.folder = "basics";
    scenario.title = "T.";
    out.push_back(std::move(scenario));
  }
  sort_by_id(out);
  return out;
}

SwarmOptions toy(std::uint64_t first, std::uint64_t last) {
  SwarmOptions options;
  options.seeds = {first, last};
  options.run = toy_world;
  return options;
}

// text_of returns everything that a report is made of.
std::string text_of(const SweepTotals& totals) {
  std::string out = std::to_string(totals.worlds) + " " + std::to_string(totals.fingerprint) + "\n";
  if (totals.determinism) {
    out += std::to_string(totals.determinism->checked) + " " +
           std::to_string(totals.determinism->differ) + " " +
           std::to_string(totals.determinism->traces) + "\n";
  }
  for (const auto& [verb, count] : totals.faults) {
    out += verb + " " + std::to_string(count.worlds) + " " + std::to_string(count.struck) + " " +
           std::to_string(count.met) + "\n";
  }
  for (const auto& [name, worlds] : totals.situations) {
    out += name + " " + std::to_string(worlds) + "\n";
  }
  for (const SweptScenario& one : totals.scenarios) {
    out += one.id + " " + std::to_string(one.runs) + " " + std::to_string(one.failed) + "\n";
  }
  for (const CheckResult& row : rows_of(totals)) {
    out += row.id + " " + std::string(name_of(row.verdict)) + " " + row.message + " " +
           row.reproduce + "\n";
  }
  return out;
}

TEST(SwarmTest, EachSeedIsOneWorldOfTheScenarioWhoseTurnItIs) {
  const std::vector<Scenario> scenarios = three();
  const SweepTotals totals = run_swarm(scenarios, toy(1, 100)).totals;
  EXPECT_EQ(totals.worlds, 100U);
  ASSERT_EQ(totals.scenarios.size(), 3U);
  EXPECT_EQ(totals.scenarios[0].id, "a");
  EXPECT_EQ(totals.scenarios[0].runs, 33U);
  EXPECT_EQ(totals.scenarios[1].runs, 34U);
  const std::vector<CheckResult> rows = rows_of(totals);
  EXPECT_EQ(rows[0].message,
            "seed 51 is the first of 1 that fail among 33 worlds:\ninvariant.a: a");
  EXPECT_EQ(rows[1].message,
            "seed 34 is the first of 3 that fail among 34 worlds:\ninvariant.a: b");
  EXPECT_EQ(rows[1].reproduce, "plumbline sweep b.json --seeds 34..34");
}

TEST(SwarmTest, AWorldOfAFolderIsTheSameAloneInItsFile) {
  const std::vector<Scenario> scenarios = {library_scenarios()[2], library_scenarios()[7]};
  const auto fingerprint = [](std::span<const Scenario> some, std::uint64_t seed) {
    SwarmOptions options;
    options.seeds = {seed, seed};
    return run_swarm(some, options).totals.fingerprint;
  };
  for (const std::uint64_t seed : {76U, 77U}) {
    EXPECT_EQ(fingerprint(scenarios, seed), fingerprint({&scenarios[seed % 2], 1}, seed));
  }
}

TEST(SwarmTest, TheNumberOfJobsChangesNothing) {
  const std::span<const Scenario> scenarios(library_scenarios().data(), 20);
  SwarmOptions options;
  options.seeds = {1, 4 + 36 / kEachNth};
  options.check_determinism = true;
  const std::string alone = text_of(run_swarm(scenarios, options).totals);
  options.jobs = 3;
  EXPECT_EQ(text_of(run_swarm(scenarios, options).totals), alone);
  for (const bool until_failure : {false, true}) {
    SwarmOptions failing = toy(18, 1'000);
    failing.until_failure = until_failure;
    const std::string one = text_of(run_swarm(three(), failing).totals);
    failing.jobs = 4;
    EXPECT_EQ(text_of(run_swarm(three(), failing).totals), one);
  }
}

TEST(SwarmTest, TheShardsOfASweepAddUpToIt) {
  const std::vector<Scenario> scenarios = three();
  SwarmOptions options = toy(3, 1'001);
  options.check_determinism = true;
  const SweepTotals whole = run_swarm(scenarios, options).totals;
  for (const std::uint64_t of : {2U, 3U, 7U, 500U}) {
    SweepTotals sum = run_swarm(three(), toy(3, 1'001)).totals;
    sum.worlds = 0;
    sum.fingerprint = 0;
    for (SweptScenario& scenario : sum.scenarios) scenario = {scenario.id, "", "T.", 0, 0, {}};
    for (std::uint64_t index = 1; index <= of; ++index) {
      options.shard = {index, of};
      const SweepTotals shard = run_swarm(scenarios, options).totals;
      EXPECT_EQ(shard.worlds, worlds_meant(shard));
      for (const CheckResult& row : rows_of(shard)) EXPECT_NE(row.verdict, Verdict::kInconclusive);
      add(sum, shard);
    }
    EXPECT_EQ(text_of(sum), text_of(whole)) << of;
  }
}

TEST(SwarmTest, UntilFailureCountsNothingBeyondIt) {
  SwarmOptions options = toy(18, 100'000'000);
  options.until_failure = true;
  options.jobs = 3;
  const Swarm swarm = run_swarm(three(), options);
  EXPECT_EQ(swarm.totals.worlds, 17U);
  ASSERT_EQ(swarm.failures.size(), 1U);
  EXPECT_EQ(swarm.failures[0].seed, 34U);
  EXPECT_EQ(swarm.failures[0].failures[0].check, "invariant.a");
}

TEST(SwarmTest, TheFirstFailureOfEachScenarioAndCheckIsKeptUpToABound) {
  const Swarm swarm = run_swarm(three(), toy(1, 10'000));
  ASSERT_EQ(swarm.failures.size(), kFailuresKept);
  EXPECT_EQ(swarm.failures[0].seed, 17U);
  EXPECT_EQ(swarm.failures[1].seed, 34U);
  EXPECT_EQ(swarm.failures[2].seed, 50U);  // Of scenario 2 as 17 is, but another check.
}

TEST(SwarmTest, AWorldThatDiffersFromItselfIsAFailureAndIsToldHowToSeeAgain) {
  const std::vector<Scenario> scenarios = three();
  SwarmOptions options = toy(101, 130);
  std::atomic<int> calls = 0;
  options.run = [&calls](const Scenario& scenario, std::uint64_t seed, Profile profile,
                         const Want& want) {
    WorldRun run = toy_world(scenario, seed, profile, want);
    if (seed == 110 || seed == 120) run.result.unseed += static_cast<std::uint64_t>(++calls);
    return run;
  };
  options.check_determinism = true;
  const SweepTotals totals = run_swarm(scenarios, options).totals;
  EXPECT_EQ(totals.determinism->checked, 30U);
  EXPECT_EQ(totals.determinism->differ, 2U);
  const CheckResult row = rows_of(totals).back();
  EXPECT_EQ(row.id, "determinism.same-seed-same-bytes");
  EXPECT_EQ(row.verdict, Verdict::kFail);
  EXPECT_EQ(row.message.find("2 of 30 worlds differ; the first is seed 110 of c:\n"), 0U)
      << row.message;
  EXPECT_EQ(row.reproduce, "plumbline sweep c.json --seeds 110..110 --check-determinism");
}

TEST(SwarmTest, WhatEveryScenarioWantsIsCountedAndMissedWhereItNeverCame) {
  std::vector<Scenario> scenarios = three();
  const auto bit = [](std::string_view name) {
    return static_cast<std::size_t>(*find_situation(name));
  };
  scenarios[0].sometimes.set(bit("garbage-received"));
  scenarios[1].sometimes.set(bit("effect"));
  scenarios[1].properties.emplace_back();
  scenarios[1].properties[0].kind = Property::Kind::kSometimes;
  scenarios[1].properties[0].name = "second-try";
  SwarmOptions options = toy(1, 3'000);
  options.run = [&bit](const Scenario& scenario, std::uint64_t seed, Profile profile,
                       const Want& want) {
    WorldRun run = toy_world(scenario, seed, profile, want);
    if (seed % 10 == 1) run.result.situations.set(bit("effect"));
    if (seed == 4) run.result.sometimes.emplace_back("second-try");
    return run;
  };
  const SweepTotals totals = run_swarm(scenarios, options).totals;
  const std::map<std::string, std::uint64_t> expected = {
      {"a/garbage-received", 0}, {"b/effect", 100}, {"b/second-try", 1}, {"effect", 300}};
  EXPECT_EQ(totals.situations, expected);
  const std::vector<CheckResult> rows = rows_of(totals);
  ASSERT_EQ(rows.size(), 7U);
  EXPECT_EQ(rows[3].id, "sometimes.a/garbage-received");
  EXPECT_EQ(rows[3].verdict, Verdict::kFail);
  EXPECT_EQ(rows[4].verdict, Verdict::kPass);

  // Few worlds prove nothing by what they miss; nor do those without weather.
  options.seeds.last = 1'999;
  EXPECT_EQ(rows_of(run_swarm(scenarios, options).totals).size(), 3U);
  options.seeds.last = 3'000;
  options.profile = Profile::kNone;
  EXPECT_EQ(run_swarm(scenarios, options).totals.situations.count("a/garbage-received"), 0U);
}

TEST(SwarmTest, FaultsAreCountedByVerb) {
  SwarmOptions options = toy(1, 100);
  options.run = [](const Scenario& scenario, std::uint64_t seed, Profile profile,
                   const Want& want) {
    WorldRun run = toy_world(scenario, seed, profile, want);
    if (seed % 4 != 0) return run;
    run.weather.faults.resize(2);
    for (Fault& fault : run.weather.faults) fault.verb = Fault::Verb::kReset;
    run.result.faults[static_cast<std::size_t>(Fault::Verb::kReset)] = {2, 1};
    return run;
  };
  const SweepTotals totals = run_swarm(three(), options).totals;
  ASSERT_EQ(totals.faults.size(), 1U);
  const FaultCount& reset = totals.faults.at("reset");
  EXPECT_EQ(reset.worlds, 25U);
  EXPECT_EQ(reset.struck, 50U);
  EXPECT_EQ(reset.met, 25U);
}

TEST(SwarmTest, WithoutFaultsAWorldIsTheFilesOwn) {
  const Scenario& scenario = library_scenarios()[0];
  RunOptions options;
  options.seed = 4;
  EXPECT_EQ(run_world(scenario, 4, Profile::kNone, {}).result.unseed,
            run_scenario(scenario, options).unseed);
  EXPECT_EQ(world_reproduction(scenario, 4, Profile::kNone),
            "plumbline sweep " + scenario.file + " --seeds 4..4 --faults none");
}

}  // namespace
}  // namespace plumbline::scenarios
