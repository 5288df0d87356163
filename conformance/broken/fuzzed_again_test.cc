// The same seed plays the same sessions to a server that answers the same, whether its answers take
// a little longer or not: what is drawn next goes by what was answered, and by no clock.

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "conformance/broken/deviant_world.h"
#include "conformance/catalogue/revisions.h"

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

const Deviation kSilent = {
    .id = "a server that says nothing",
    .revision = kNewestStateful,
    .transport = Transport::kStdio,
    .what = "a server that says nothing",
    .from_server = [](Interceptor&, Json) {},
};

// It answers to what opens a session, and to nothing behind that.
const Deviation kSilentThen = {
    .id = "a server that says no more",
    .revision = kNewestStateful,
    .transport = Transport::kStdio,
    .what = "a server that says no more",
    .from_server =
        [](Interceptor& interceptor, Json message) {
          const std::string asked = interceptor.method_asked(message);
          if (asked == "initialize" || asked == "server/discover") interceptor.say(message);
        },
};

TEST(FuzzedAgainTest, TheTimeIsKeptWithOneAnswerWhateverTheServerDoes) {
  for (const Deviation* const silent : {&kSilent, &kSilentThen}) {
    FuzzOptions options;
    options.time_max = std::chrono::seconds(3);
    const Duration most = options.time_max + options.patience;
    DeviantWorld world(Transport::kStdio, silent);
    world.fuzz(std::move(options));
    EXPECT_LE(world.took(), most) << silent->what;  // Of the simulated clock.
  }
}

}  // namespace
}  // namespace plumbline::conformance
