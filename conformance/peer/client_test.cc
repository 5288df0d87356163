#include "conformance/peer/client.h"

#include <chrono>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "conformance/peer/session.h"
#include "conformance/peer/subject.h"
#include "core/base/rng.h"
#include "core/events/trace_event.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"
#include "fakes/world/sim_spawner.h"

namespace plumbline::conformance {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kLook = milliseconds(5);  // It looks so often at most.

class SilentWire final : public Wire {
 public:
  using Wire::Wire;
  std::size_t send(std::string, wire::HttpHeaders, std::uint32_t) override { return 0; }
  Task<void> close() override { co_return; }
};

// Answers each ping at once, and the first request when something else is said.
class LateWire final : public Wire {
 public:
  using Wire::Wire;
  std::size_t send(std::string text, wire::HttpHeaders, std::uint32_t check) override {
    sent(text, 0, check);
    const Json message = parse_json(text).value();
    const Json* const id = find(message, "id");
    if (id == nullptr)
      arrived(R"({"jsonrpc":"2.0","id":1,"result":{"late":true}})", Frame(), check);
    if (string_or(message, "method", "") == "ping") {
      arrived(R"({"jsonrpc":"2.0","id":)" + dump_json(*id) + R"(,"result":{}})", Frame(), check);
    }
    return 0;
  }
  Task<void> close() override { co_return; }
};

// A process that answers at once when it is alone, and slowly while others start.
class HushTest : public testing::Test {
 protected:
  HushTest() {
    for (int answers = 0; answers < 10; ++answers) subject_.pace().saw(milliseconds(1), false);
    subject_.starts().now = 2;
    for (int answers = 0; answers < 10; ++answers) subject_.pace().saw(milliseconds(200), true);
  }

  // hush returns how long it lets pass where the others have started after `starting`.
  Duration hush(Duration starting) {
    Alarm started([this] {
      subject_.starts().now = 0;
      subject_.changes().tell();
    });
    loop_.arm(started, after(loop_.now(), starting));
    const Instant begin = loop_.now();
    Session session(subject_, std::make_unique<SilentWire>(loop_, log_), SessionOptions{});
    Client client(session, 0);
    Task<void> hushed = client.hush();
    EXPECT_TRUE(loop_.run_task(hushed).ok());
    return loop_.now() - begin;
  }

  class NoEvents final : public EventSink {
   public:
    void on_event(const TraceEvent&) override {}
  };

  fakes::SimLoop loop_;
  NoEvents events_;
  fakes::SimSpawner spawner_{loop_, Rng(1), events_};
  fakes::SimNetwork network_{loop_, {}, Rng(2)};
  Redactor redactor_;
  WireLog log_{redactor_, loop_.now()};
  Subject subject_{
      loop_, spawner_,      network_,   [](std::size_t count) { return std::string(count, 'r'); },
      log_,  SubjectSpec{}, seconds(10)};
};

TEST_F(HushTest, LastsAsLongAsAnswersAreSlowWhileOthersStart) {
  const Duration quiet = subject_.pace().quiet();
  EXPECT_GT(quiet, milliseconds(300));
  const Duration lasted = hush(seconds(20));
  EXPECT_GE(lasted, quiet);
  EXPECT_LT(lasted, quiet + kLook);
}

TEST_F(HushTest, EndsAQuietMomentAfterTheOthersHaveStarted) {
  const Duration alone = subject_.pace().quiet_alone();
  EXPECT_LT(alone, milliseconds(50));
  const Duration lasted = hush(milliseconds(100));
  EXPECT_GE(lasted, milliseconds(100) + alone - kLook);
  EXPECT_LT(lasted, milliseconds(100) + alone + kLook);
}

TEST_F(HushTest, LastsAMomentWhereNobodyStarts) {
  subject_.starts().now = 0;
  EXPECT_EQ(hush(seconds(20)), subject_.pace().quiet_alone());
}

using ProvokeTest = HushTest;

// A request that was cancelled may be answered at any time, and that is no answer to anything else.
TEST_F(ProvokeTest, AnAnswerToAnEarlierRequestIsNoneToWhatIsSaidNow) {
  Session session(subject_, std::make_unique<LateWire>(loop_, log_), SessionOptions{});
  Client client(session, 0);
  client.begin(client.request_of("tools/call", Json::object()));
  Task<Reaction> notified = client.provoke(R"({"jsonrpc":"2.0","method":"notifications/x"})");
  ASSERT_TRUE(loop_.run_task(notified).ok());
  EXPECT_TRUE(notified.result().alive);
  EXPECT_EQ(notified.result().response(), nullptr);
  Task<Reaction> again = client.provoke(R"({"jsonrpc":"2.0","method":"notifications/x"})");
  ASSERT_TRUE(loop_.run_task(again).ok());
  EXPECT_NE(again.result().response(), nullptr) << "it had its answer";
}

}  // namespace
}  // namespace plumbline::conformance
