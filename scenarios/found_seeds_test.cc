// Worlds that sweeps once found to fail, each of its file alone: so they stay the same worlds when
// the library grows.

#include <cstdint>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "scenarios/format/library_files.h"
#include "scenarios/sweep/swarm.h"

namespace plumbline::scenarios {
namespace {

struct Found {
  std::string scenario;
  std::uint64_t seed = 0;

  friend std::ostream& operator<<(std::ostream& out, const Found& found) {
    return out << found.scenario << " under seed " << found.seed;
  }
};

class FoundSeedTest : public testing::TestWithParam<Found> {};

TEST_P(FoundSeedTest, Passes) {
  const Scenario& scenario = find_scenario(GetParam().scenario);
  const WorldRun run = run_world(scenario, GetParam().seed, Profile::kDefault, {});
  for (const RunFailure& failure : run.result.failures) {
    ADD_FAILURE() << failure.check << ": " << failure.message;
  }
}

// A server of values went on in the middle of a line after its stream had ended.
INSTANTIATE_TEST_SUITE_P(
    HalfALineAfterTheEnd, FoundSeedTest,
    testing::Values(
        Found{"batch-reply", 5035388}, Found{"endless-cursor", 130},
        Found{"endless-cursor", 5002051}, Found{"endless-cursor", 7128643},
        Found{"missing-content", 32567}, Found{"null-manifest", 7099071},
        Found{"stdio-stdout-banner", 7111680}, Found{"repeated-cursor", 7182735},
        Found{"duplicate-results-after-reconnect", 7189786},
        Found{"binary-dressed-up-as-text", 7196301}, Found{"crash-after-the-effect", 7141410},
        Found{"crash-after-the-effect", 10035522}, Found{"rate-limited-write-runs-once", 5015262},
        Found{"late-reply-answers-nothing-else", 10028902}, Found{"modern-probe-401", 40005249},
        Found{"tool-is-called-as-a-task", 40003807}, Found{"elicitation-url-autofetch", 10300224},
        Found{"modern-missing-ttl-cachescope", 10341248},
        Found{"oauth-expires-in-vs-at", 2026124665}));

// Shrunk, both are in library/regressions.
INSTANTIATE_TEST_SUITE_P(OfChatAndTokens, FoundSeedTest,
                         testing::Values(Found{"chat-calls-several-at-once", 283},
                                         Found{"store-forgets-in-a-crash", 2026317425}));

}  // namespace
}  // namespace plumbline::scenarios
