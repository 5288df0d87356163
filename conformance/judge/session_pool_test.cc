// Who waits for a session of its own goes on when there may be one more, and not when a second has
// passed without any coming back.

#include "conformance/judge/session_pool.h"

#include <chrono>
#include <memory>

#include <gtest/gtest.h>

#include "conformance/peer/silent_wire_fixture.h"
#include "core/base/rng.h"
#include "core/events/trace_event.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"
#include "fakes/world/sim_spawner.h"

namespace plumbline::conformance {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Processes that cannot be started: whoever may have one is told so at once.
class SessionPoolTest : public testing::Test {
 protected:
  // waited returns how long somebody waits who wants a session of its own.
  Duration waited() {
    const Instant begin = loop_.now();
    leases_.moved = begin;
    EXPECT_FALSE(pool_.may_lease());
    Task<std::unique_ptr<Session>> leasing = pool_.lease_first();
    EXPECT_TRUE(loop_.run_task(leasing).ok());
    return loop_.now() - begin;
  }

  // note_start tells the pool of a session whose process took so long to start.
  void note_start(Duration took) {
    Session session(subject_, std::make_unique<SilentWire>(loop_, log_), SessionOptions{});
    session.note_start(took);
    pool_.note_start(session);
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
  Survey survey_;
  Leases leases_;
  SessionPool pool_{subject_, "2025-11-25", survey_, leases_};
};

TEST_F(SessionPoolTest, SlowerAnswersAreWorthMoreProcesses) {
  subject_.pace().saw(milliseconds(1), false);
  leases_.now = 12;
  Alarm slower([this] { subject_.pace().saw(milliseconds(400), false); });
  loop_.arm(slower, Instant(milliseconds(10)));
  EXPECT_EQ(waited(), milliseconds(10));
}

TEST_F(SessionPoolTest, OneThatStartsQuicklySaysThatThereMayBeMore) {
  subject_.pace().saw(milliseconds(100), false);
  note_start(milliseconds(500));
  leases_.now = 3;
  Alarm quick([this] { note_start(milliseconds(5)); });
  loop_.arm(quick, Instant(milliseconds(10)));
  EXPECT_EQ(waited(), milliseconds(10));
}

TEST_F(SessionPoolTest, WhatAnotherCheckHasOpenedComesBack) {
  subject_.pace().saw(milliseconds(1), false);
  leases_.elsewhere = 12;
  Alarm back([this] {
    for (int i = 0; i < 6; ++i) pool_.lent_elsewhere(-1);
  });
  loop_.arm(back, Instant(milliseconds(10)));
  EXPECT_EQ(waited(), milliseconds(10));
}

TEST_F(SessionPoolTest, WhereNothingComesBackThereIsOneMoreAfterASecond) {
  subject_.pace().saw(milliseconds(1), false);
  leases_.now = 12;
  EXPECT_EQ(waited(), seconds(1));
}

}  // namespace
}  // namespace plumbline::conformance
