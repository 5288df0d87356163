// How agents do: the window beside a plain list of what it saw, the breaker, and the monitor over
// agents that fail, are slow and come back, in virtual time.

#include "core/connector/health/health_monitor.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/base/wait.h"
#include "core/connector/connector_fixture.h"

namespace plumbline::connector {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

struct Seen {
  Instant at{};
  Duration took{};
  bool failed = false;
};

RC_GTEST_PROP(HealthWindowPropTest, CountsWhatAPlainListCounts, ()) {
  HealthWindow window{HealthOptions()};
  std::vector<Seen> all;
  Instant now{};
  const int steps = *rc::gen::inRange(1, 200);
  for (int i = 0; i < steps; ++i) {
    now += milliseconds(*rc::gen::element(0, 1, 300, 4'000, 61'000));
    const Seen seen{now, milliseconds(*rc::gen::inRange(0, 9'000)), *rc::gen::inRange(0, 3) == 0};
    window.add(now, seen.took, seen.failed);
    all.push_back(seen);
    const Health before = window.health(now);
    RC_ASSERT(window.health(now) == before);
    std::size_t failed = 0;
    std::size_t count = 0;
    Duration took{};
    for (auto one = all.rbegin(); one != all.rend() && count < 64; ++one, ++count) {
      if (now - one->at > seconds(60)) break;
      failed += one->failed ? 1U : 0U;
      if (!one->failed) took += one->took;
    }
    RC_ASSERT(window.error_percent() == static_cast<int>(failed * 100 / count));
    const auto succeeded = static_cast<std::int64_t>(count - failed);
    RC_ASSERT(window.response_time() == (succeeded == 0 ? Duration() : took / succeeded));
    if (before != Health::kUnhealthy && count >= 5) {
      RC_ASSERT(window.error_percent() < 50);
      // It is healthy only below the thresholds, and degraded only above half of one.
      const bool bad = window.error_percent() >= 20 || window.response_time() >= seconds(5);
      const bool good = window.error_percent() < 10 && window.response_time() < milliseconds(2'500);
      RC_ASSERT(!(before == Health::kHealthy && bad));
      RC_ASSERT(!(before == Health::kDegraded && good));
    }
  }
}

TEST(HealthWindowTest, AnAgentAtTheEdgeDoesNotFlap) {
  HealthWindow window{HealthOptions()};
  Instant now{};
  int changes = 0;
  Health last = Health::kHealthy;
  for (int i = 0; i < 600; ++i) {  // Between 15 and 25 percent of the last 64 fail.
    now += milliseconds(100);
    window.add(now, milliseconds(10), i % (i % 128 < 64 ? 4 : 7) == 0);
    if (std::exchange(last, window.health(now)) != last) ++changes;
  }
  EXPECT_EQ(changes, 1);
  EXPECT_EQ(last, Health::kDegraded);
}

TEST(HealthWindowTest, OneThatIsOnlySlowIsNeverUnhealthy) {
  HealthWindow window{HealthOptions()};
  Instant now{};
  for (int i = 0; i < 100; ++i) {
    now += seconds(10);
    window.add(now, seconds(9), false);
    EXPECT_NE(window.health(now), Health::kUnhealthy);
  }
  EXPECT_EQ(window.health(now), Health::kDegraded);
}

RC_GTEST_PROP(CircuitBreakerPropTest, LetsOneProbeThroughAtATimeAndWaitsLongerAfterEach, ()) {
  CircuitBreaker breaker{BreakerOptions()};
  Instant now{};
  bool probing = false;
  int good = 0;
  Duration last_wait{};
  breaker.trip(now);
  for (int i = 0; i < 100 && !breaker.allows_traffic(); ++i) {
    now += milliseconds(*rc::gen::element(0, 400, 1'000, 9'000, 61'000));
    const bool due = now >= breaker.next_probe();
    const bool began = breaker.begin_probe(now);
    RC_ASSERT(began == (due && !probing));
    probing = probing || began;
    if (!probing || *rc::gen::arbitrary<bool>()) continue;
    probing = false;
    const bool succeeds = *rc::gen::arbitrary<bool>();
    good = succeeds ? good + 1 : 0;
    RC_ASSERT(breaker.probe_ended(succeeds, now) == (good == 2));
    RC_ASSERT(breaker.allows_traffic() == (good == 2));
    if (succeeds) continue;
    RC_ASSERT(breaker.next_probe() - now >= last_wait);
    last_wait = breaker.next_probe() - now;
    RC_ASSERT(last_wait <= seconds(60));
  }
}

// Patients answer probes as the test says.
class Patients final : public Prober {
 public:
  explicit Patients(Loop& loop) : loop_(loop) {}

  // implements Prober ---
  Task<bool> probe(std::string agent) override {
    ++probes[agent];
    ++under_way[agent];
    most_at_once = std::max(most_at_once, under_way[agent]);
    const Instant done = after(loop_.now(), takes);
    co_await Sleep(loop_, done);
    --under_way[agent];
    co_return !down;
  }

  std::map<std::string, int> probes;
  std::map<std::string, int> under_way;
  int most_at_once = 0;
  bool down = false;
  Duration takes = milliseconds(20);

 private:
  Loop& loop_;
};

class HealthMonitorTest : public testing::Test {
 protected:
  HealthMonitorTest() {
    monitor_.on_health_change([this](const std::string& agent, const HealthStatus& status) {
      changes_.push_back(agent + " " + std::string(name_of(status.status)));
    });
  }

  void run_for(Duration span) {
    const Instant end = after(loop_.now(), span);
    Alarm clock([] {});
    loop_.arm(clock, end);
    while (loop_.now() < end && loop_.step()) {
    }
  }

  bool may_send(const std::string& agent) {
    Task<bool> asking = monitor_.may_send(agent);
    asking.start();
    while (!asking.done()) loop_.step();
    return asking.result();
  }

  void fail(const std::string& agent, int times) {
    for (int i = 0; i < times; ++i) monitor_.note(agent, milliseconds(5), true);
  }

  TinyLoop loop_;
  Patients patients_{loop_};
  HealthMonitor monitor_{loop_, patients_};
  std::vector<std::string> changes_;
};

TEST_F(HealthMonitorTest, ACheckNowTellsHowTheAgentDoes) {
  Task<HealthStatus> checking = monitor_.check_connection("files");
  checking.start();
  while (!checking.done()) loop_.step();
  const HealthStatus& status = checking.result();
  EXPECT_EQ(status.status, Health::kHealthy);
  EXPECT_EQ(status.response_time, milliseconds(20));
  EXPECT_EQ(status.last_check, Instant(milliseconds(20)));
  EXPECT_EQ(status.error_percent, 0);
  EXPECT_EQ(patients_.probes["files"], 1);
}

TEST_F(HealthMonitorTest, AnUnhealthyAgentGetsProbesAndNoTraffic) {
  patients_.down = true;
  fail("files", 5);
  EXPECT_EQ(changes_, std::vector<std::string>{"files unhealthy"});
  EXPECT_FALSE(may_send("files"));
  EXPECT_EQ(patients_.probes["files"], 0);  // Not yet.
  EXPECT_TRUE(may_send("wiki"));
  run_for(seconds(1));
  EXPECT_FALSE(may_send("files"));
  EXPECT_EQ(patients_.probes["files"], 1);
  run_for(seconds(1));
  EXPECT_FALSE(may_send("files"));
  EXPECT_EQ(patients_.probes["files"], 1);  // The wait has doubled.
  patients_.down = false;
  run_for(seconds(2));
  EXPECT_TRUE(may_send("files"));
  EXPECT_EQ(patients_.probes["files"], 3);
  EXPECT_EQ(changes_, (std::vector<std::string>{"files unhealthy", "files degraded"}));
  for (int i = 0; i < 5; ++i) monitor_.note("files", milliseconds(5), false);
  EXPECT_EQ(changes_.back(), "files healthy");
}

TEST_F(HealthMonitorTest, MonitoringFindsAnAgentThatIsDownAndOneThatIsBack) {
  monitor_.start_monitoring("files", seconds(30));
  run_for(seconds(100));
  EXPECT_EQ(patients_.probes["files"], 3);
  patients_.down = true;
  run_for(std::chrono::minutes(5));
  EXPECT_EQ(monitor_.status("files").status, Health::kUnhealthy);
  patients_.down = false;
  run_for(std::chrono::minutes(2));
  EXPECT_TRUE(monitor_.allows("files"));
  EXPECT_EQ(monitor_.status("files").status, Health::kDegraded);
  monitor_.stop_monitoring("files");
  const int probes = patients_.probes["files"];
  run_for(std::chrono::minutes(5));
  EXPECT_EQ(patients_.probes["files"], probes);
  EXPECT_TRUE(loop_.idle());
}

TEST_F(HealthMonitorTest, ManyWhoAskAtOnceSendOneProbe) {
  fail("files", 5);
  run_for(seconds(1));
  std::vector<Task<bool>> asking;
  for (int i = 0; i < 50; ++i) asking.push_back(monitor_.may_send("files"));
  for (Task<bool>& one : asking) one.start();
  loop_.run();
  EXPECT_EQ(patients_.most_at_once, 1);
  EXPECT_EQ(patients_.probes["files"], 2);
  EXPECT_TRUE(asking.front().result());
}

TEST_F(HealthMonitorTest, AProbeThatNobodyWaitsForAnyMoreIsNoProbe) {
  fail("files", 5);
  run_for(seconds(1));
  Task<bool> asking = monitor_.may_send("files");
  asking.start();
  asking.drop();
  EXPECT_TRUE(may_send("files"));
}

}  // namespace
}  // namespace plumbline::connector
