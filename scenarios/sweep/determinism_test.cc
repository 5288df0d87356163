// The same seed gives the same run, to the byte of its trace: for every scenario of the library.

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "core/base/sha256.h"
#include "scenarios/format/library_files.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {

namespace {

RunResult run(const Scenario& scenario, std::uint64_t seed, Transport transport, Want want) {
  RunOptions options;
  options.seed = seed;
  options.transport = transport;
  options.want = want;
  return run_scenario(scenario, options);
}

// first_difference returns the first line in which two traces differ.
std::string first_difference(std::string_view a, std::string_view b) {
  while (!a.empty() || !b.empty()) {
    const std::string_view line_a = a.substr(0, a.find('\n'));
    const std::string_view line_b = b.substr(0, b.find('\n'));
    if (line_a != line_b) return std::string(line_a) + "\n" + std::string(line_b);
    a.remove_prefix(std::min(a.size(), line_a.size() + 1));
    b.remove_prefix(std::min(b.size(), line_b.size() + 1));
  }
  return "";
}

// Recorded as "library": builds by other compilers and of other types must record the same. What
// is not basic runs twice in the sweep of ctest.
TEST(DeterminismTest, EveryScenarioRunsTwiceTheSame) {
  Sha256 library;
  for (const Scenario& scenario : library_scenarios()) {
    if (scenario.folder != "basics") continue;
    for (const Transport transport : {Transport::kBytes, Transport::kHttp, Transport::kWebSocket}) {
      const std::uint64_t seed = transport == Transport::kBytes ? 7 : 3;
      const Want hash = {.state = false, .trace_hash = true, .trace = false};
      const RunResult once = run(scenario, seed, transport, hash);
      const RunResult again = run(scenario, seed, transport, hash);
      library.update(once.trace_hash);
      EXPECT_EQ(once.unseed, again.unseed) << scenario.id << " seed " << seed;
      if (once.trace_hash == again.trace_hash) continue;
      const Want text = {.state = false, .trace_hash = true, .trace = true};
      ADD_FAILURE() << scenario.id << " seed " << seed << "\n"
                    << first_difference(run(scenario, seed, transport, text).trace,
                                        run(scenario, seed, transport, text).trace);
    }
  }
  RecordProperty("library", library.finish_hex());
}

TEST(DeterminismTest, SeedsDifferWhereTheScenarioLeavesAnythingToChance) {
  const Scenario& scenario = find_scenario("random-fragments");
  const Want hash = {.state = false, .trace_hash = true, .trace = false};
  const RunResult one = run(scenario, 1, Transport::kBytes, hash);
  const RunResult two = run(scenario, 2, Transport::kBytes, hash);
  EXPECT_NE(one.trace_hash, two.trace_hash);
  EXPECT_NE(one.unseed, two.unseed);
}

TEST(DeterminismTest, WatchingARunDoesNotChangeIt) {
  for (const Scenario& scenario : library_scenarios()) {
    if (scenario.folder != "basics") continue;
    const RunResult alone = run(scenario, 3, Transport::kBytes, {});
    const RunResult watched =
        run(scenario, 3, Transport::kBytes, {.state = true, .trace_hash = true, .trace = false});
    EXPECT_EQ(alone.unseed, watched.unseed) << scenario.id;
    EXPECT_EQ(alone.failures, watched.failures) << scenario.id;
  }
}

TEST(DeterminismTest, BytesAndValuesComeToTheSame) {
  for (const Scenario& scenario : library_scenarios()) {
    if (scenario.world.transport != Transport::kAny) continue;
    for (const std::uint64_t seed : {2U}) {
      const RunResult bytes = run(scenario, seed, Transport::kBytes, {});
      const RunResult values = run(scenario, seed, Transport::kValues, {});
      EXPECT_EQ(bytes.verdict, values.verdict) << scenario.id;
      EXPECT_EQ(bytes.status, values.status) << scenario.id;
      EXPECT_EQ(bytes.route, values.route) << scenario.id;
      EXPECT_EQ(bytes.effects, values.effects) << scenario.id;
    }
  }
}

}  // namespace
}  // namespace plumbline::scenarios
