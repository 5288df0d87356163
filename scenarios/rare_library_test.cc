// The library under rare branches: every site is reached, and nothing that must hold breaks.

#include <algorithm>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "core/base/rare.h"
#include "scenarios/format/library_files.h"
#include "scenarios/sweep/fail_each.h"
#include "scenarios/sweep/swarm.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {
namespace {

constexpr Transport kEveryTransport[] = {Transport::kBytes, Transport::kValues, Transport::kHttp,
                                         Transport::kSse, Transport::kWebSocket};

std::vector<std::string> all_sites() {
  std::vector<std::string> out;
  for (const RareSite& site : rare_sites()) {
    out.emplace_back(site.name);
  }
  return out;
}

// expect_sound runs every scenario under `rare`, each with a seed and a transport of its own, other
// ones in each round, and counts into `taken` which branches were.
void expect_sound(const std::vector<std::string>& rare, std::uint64_t round,
                  std::map<std::string, std::int64_t>& taken) {
  std::uint64_t seed = 1 + 1001 * round;
  for (const Scenario& scenario : library_scenarios()) {
    if (scenario.fleet) continue;  // Of no transport.
    const Transport transport = kEveryTransport[seed % std::size(kEveryTransport)];
    Weather weather = weather_of(scenario);
    weather.inner.rare = rare;
    RunOptions options;
    options.seed = seed++;  // Worlds of one seed would take the same branches at first.
    options.transport = transport;
    options.weather = &weather;
    const RunResult result = run_scenario(scenario, options);
    for (const RunFailure& failure : result.failures) {
      ADD_FAILURE() << scenario.file << " seed " << options.seed << " transport "
                    << static_cast<int>(transport) << "\n"
                    << failure.check << ": " << failure.message;
    }
    for (const auto& [name, times] : result.rare) taken[name] += times;
  }
}

TEST(RareLibraryTest, EverySiteIsTakenAndNothingBreaks) {
  constexpr std::uint64_t kRoundsMax = 40;
  std::map<std::string, std::int64_t> taken;
  const auto missing = [&taken](const std::string& name) { return taken[name] == 0; };
  // Some are taken in few scenarios over one transport alone, and then once in a few times: which
  // scenario meets which transport in a round is a matter of its place.
  for (std::uint64_t round = 0; round < kRoundsMax; ++round) {
    if (round == 0 || std::ranges::any_of(all_sites(), missing)) {
      expect_sound(all_sites(), round, taken);
    }
  }
  for (const std::string& name : all_sites()) EXPECT_GT(taken[name], 0) << name;
}

// A defect that was put in is found by a sweep of a library that holds without it, and the line
// that the sweep prints comes to the same failure.
TEST(PlantedDefectTest, ASweepFindsItAndSaysHowToSeeItAgain) {
  std::vector<Scenario> planted;
  for (const Scenario& scenario : library_scenarios()) {
    if (scenario.folder != "basics") continue;
    planted.push_back(scenario);
    ASSERT_TRUE(plant("retry-unknown-outcome", planted.back().inner));
  }
  sort_by_id(planted);
  SwarmOptions options;
  options.seeds = SeedRange{1, 400};
  const Swarm swarm = run_swarm(planted, options);
  std::int64_t found = 0;
  for (const Failure& failure : swarm.failures) {
    const Scenario& scenario = planted[failure.scenario];
    const WorldRun again = run_world(scenario, failure.seed, Profile::kDefault, {});
    EXPECT_EQ(again.result.failures, failure.failures);
    const std::string line = world_reproduction(scenario, failure.seed, Profile::kDefault);
    EXPECT_NE(line.find("--plant retry-unknown-outcome"), std::string::npos) << line;
    for (const RunFailure& one : failure.failures) {
      found += one.check == "invariant.no-effect-twice" ? 1 : 0;
    }
  }
  EXPECT_GT(found, 0);
}

// Every third: `run --fail-each-operation` has them all.
TEST(FailEachTest, AnyOneOperationOfTheBasicsMayFail) {
  constexpr std::int64_t kOperationsMax = 60;
  std::int64_t operations = 0;
  std::size_t number = 0;
  for (const Scenario& scenario : library_scenarios()) {
    if (scenario.folder != "basics" || ++number % 3 != 0) continue;
    RunOptions options;
    options.transport = Transport::kValues;
    const FailEach each = fail_each_operation(scenario, options, kOperationsMax);
    operations += each.operations;
    if (!each.first_failure) continue;
    for (const RunFailure& failure : each.first_failure->failures) {
      ADD_FAILURE() << scenario.file << " operation " << each.first_nth << "\n"
                    << failure.check << ": " << failure.message;
    }
  }
  EXPECT_GT(operations, 200);
}

TEST(FailEachTest, EveryOperationHasItsTurnOnEveryTransport) {
  for (const char* id : {"approved-email-runs-once", "list-files-happy-path"}) {
    for (const Transport transport : kEveryTransport) {
      SCOPED_TRACE(std::string(id) + " over " + std::to_string(static_cast<int>(transport)));
      RunOptions options;
      options.transport = transport;
      const FailEach each = fail_each_operation(find_scenario(id), options, 1'000);
      EXPECT_TRUE(each.complete);
      EXPECT_GT(each.operations, 12);
      EXPECT_EQ(each.failed, 0);
      if (!each.first_failure) continue;
      for (const RunFailure& failure : each.first_failure->failures) {
        ADD_FAILURE() << "operation " << each.first_nth << "\n"
                      << failure.check << ": " << failure.message;
      }
    }
  }
}

}  // namespace
}  // namespace plumbline::scenarios
