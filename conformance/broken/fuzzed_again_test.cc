// The same seed plays the same sessions to a server that answers the same, whether its answers take
// a little longer or not: what is drawn next goes by what was answered, and by no clock.

#include <chrono>
#include <cstdint>

#include <gtest/gtest.h>

#include "conformance/broken/deviant_world.h"

namespace plumbline::conformance {
namespace {

FuzzEffort fuzzed(Transport transport, std::uint64_t seed, int latency_ms) {
  FuzzOptions options;
  options.seed = seed;
  options.sessions_max = 60;
  DeviantWorld world(transport, nullptr, std::chrono::milliseconds(latency_ms));
  return world.fuzz(std::move(options));
}

TEST(FuzzedAgainTest, TheSameSeedPlaysTheSameSessions) {
  for (const Transport transport : {Transport::kStdio, Transport::kHttp}) {
    const FuzzEffort once = fuzzed(transport, 7, 0);
    const FuzzEffort again = fuzzed(transport, 7, 0);
    EXPECT_EQ(once.sessions, 60U);
    EXPECT_EQ(once.digest, again.digest) << name_of(transport);
    EXPECT_EQ(once.features, again.features);
    EXPECT_NE(once.digest, fuzzed(transport, 8, 0).digest);
  }
}

TEST(FuzzedAgainTest, ALittleMoreTimeForEachAnswerChangesNothingOfIt) {
  for (const Transport transport : {Transport::kStdio, Transport::kHttp}) {
    const FuzzEffort fast = fuzzed(transport, 7, 0);
    for (const int latency_ms : {1, 5}) {
      const FuzzEffort slow = fuzzed(transport, 7, latency_ms);
      EXPECT_EQ(fast.features, slow.features) << name_of(transport) << " " << latency_ms;
      EXPECT_EQ(fast.digest, slow.digest) << name_of(transport) << " " << latency_ms;
    }
  }
}

}  // namespace
}  // namespace plumbline::conformance
