// Every scenario of the library comes out as it says, on every transport that it does not exclude.

#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "scenarios/format/library_files.h"
#include "scenarios/sweep/seed_runs.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {

namespace {

constexpr std::uint64_t kSeeds = 3;

class LibraryTest : public testing::TestWithParam<std::string> {
 protected:
  // A fleet is of no transport, and each of its worlds is as long as hundreds.
  static std::uint64_t seeds_of(const Scenario& scenario) { return scenario.fleet ? 1 : kSeeds; }

  void run_if_any(Transport transport) {
    const Scenario& scenario = find_scenario(GetParam());
    if (scenario.world.transport == Transport::kAny && !scenario.fleet) run(transport);
  }

  void run(Transport transport) {
    const Scenario& scenario = find_scenario(GetParam());
    for (std::uint64_t seed = 1; seed <= seeds_of(scenario); ++seed) {
      RunOptions options;
      options.seed = seed;
      options.transport = transport;
      options.want.state = true;
      const RunResult result = run_scenario(scenario, options);
      for (const RunFailure& failure : result.failures) {
        ADD_FAILURE() << reproduction(scenario, seed) << "\n"
                      << failure.check << ": " << failure.message;
      }
      if (!result.failures.empty()) {
        FAIL() << pretty_json(result.state.is_null() ? result.state : result.state["final_output"]);
      }
    }
  }
};

TEST_P(LibraryTest, ComesOutOverBytes) { run(Transport::kBytes); }

// As `plumbline run --strict` has it: every name is of something, and every rule does something.
TEST_P(LibraryTest, MeansWhatItSays) {
  const Scenario& scenario = find_scenario(GetParam());
  SeedRunsOptions options;
  options.seeds = {1, seeds_of(scenario)};
  const CheckResult row =
      to_check_result(scenario, run_seeds({&scenario, 1}, options).front(), true);
  EXPECT_EQ(row.verdict, Verdict::kPass) << row.message;
}

TEST_P(LibraryTest, ComesOutOverValues) { run_if_any(Transport::kValues); }
TEST_P(LibraryTest, ComesOutOverStreamableHttp) { run_if_any(Transport::kHttp); }
TEST_P(LibraryTest, ComesOutOverHttpAndSse) { run_if_any(Transport::kSse); }
TEST_P(LibraryTest, ComesOutOverWebSockets) { run_if_any(Transport::kWebSocket); }

std::vector<std::string> ids() {
  std::vector<std::string> out;
  for (const Scenario& scenario : library_scenarios()) out.push_back(scenario.id);
  return out;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name) {
    if (c == '-') c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Basics, LibraryTest, testing::ValuesIn(ids()), test_name);

}  // namespace
}  // namespace plumbline::scenarios
