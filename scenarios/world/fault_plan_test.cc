#include "scenarios/world/fault_plan.h"

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fakes/testing/event_log.h"
#include "fakes/testing/pipe_log.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_pipe.h"
#include "scenarios/format/fault_verbs.h"
#include "scenarios/format/format.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Outcome is what came of one read of a folder over a link of 10 ms, with a fault in the way.
struct Outcome {
  std::string status;
  Duration took{};
  std::string trace;
  std::set<std::string> broken;  // Invariants.
};

Outcome run(const std::string& transport, const std::string& fault) {
  const std::string text = R"({
    "plumbline": 1, "id": "s", "title": "T.", "request": {"input": "List the files"},
    "servers": {"files": {"tools": [{"name": "list_files", "description": "List the files"}]}},
    "world": {"latency_ms": 10, "transport": ")" +
                           transport + R"("},
    "faults": [)" + fault + R"(], "expect": {"status": "ok"}
  })";
  const Result<Scenario> scenario = load_scenario(text, "s.json");
  EXPECT_TRUE(scenario.ok()) << scenario.error().message;
  RunOptions options;
  options.want.trace = true;
  const RunResult result = run_scenario(scenario.value(), options);
  Outcome out{result.status, result.answered_after, result.trace, {}};
  for (const RunFailure& failure : result.failures) {
    if (failure.check.starts_with("invariant.")) out.broken.insert(failure.message);
  }
  return out;
}

class EveryTransportTest : public testing::TestWithParam<std::string> {
 protected:
  // meet runs the world with a fault that must meet it, and break no invariant.
  static Outcome meet(const std::string& members) {
    Outcome out = run(GetParam(), R"({"server": "files", )" + members + '}');
    EXPECT_NE(out.trace.find("\"met_a_connection\":true"), std::string::npos) << members;
    EXPECT_EQ(out.broken, std::set<std::string>{}) << members;
    return out;
  }
  static Outcome calm() { return run(GetParam(), ""); }
  static std::size_t starts(const Outcome& outcome) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = outcome.trace.find("\"started\"", at)) != std::string::npos;) {
      ++count;
      ++at;
    }
    return count;
  }
};

INSTANTIATE_TEST_SUITE_P(All, EveryTransportTest,
                         testing::Values("bytes", "values", "http", "sse", "ws"),
                         [](const auto& which) { return which.param; });

TEST_P(EveryTransportTest, WhatIsSilentForAWhileLosesNothing) {
  ASSERT_EQ(calm().status, "ok");
  ASSERT_LT(calm().took, milliseconds(500));
  for (const char* const fault :
       {R"("do": "stall", "at_ms": 25, "for_ms": 5000)",
        R"("do": "hold", "at_ms": 25, "for_ms": 5000)",
        R"("do": "hold", "at_ms": 0, "for_ms": 5025)",
        R"("do": "partition", "at_ms": 25, "for_ms": 5000)",
        R"("do": "partition", "at_ms": 0, "for_ms": 5025)",
        R"("do": "partition", "at_ms": 25, "for_ms": 5000, "way": "to")",
        R"("do": "partition", "at_ms": 25, "for_ms": 5000, "way": "from")"}) {
    const Outcome outcome = meet(fault);
    EXPECT_EQ(outcome.status, "ok") << fault;
    EXPECT_GE(outcome.took, milliseconds(5'025)) << fault;
    EXPECT_LE(outcome.took, calm().took + milliseconds(5'025)) << fault;
    EXPECT_EQ(starts(outcome), starts(calm())) << fault;
  }
}

TEST_P(EveryTransportTest, WhatIsSlowTakesLonger) {
  for (const char* const fault :
       {R"("do": "clog", "at_ms": 0, "for_ms": 4000)",
        R"("do": "throttle", "at_ms": 0, "for_ms": 4000, "bytes_per_s": 2000)",
        R"("do": "delay", "nth": 2, "for_ms": 1500)",
        R"("do": "delay", "nth": 2, "for_ms": 1500, "way": "to")"}) {
    const Outcome outcome = meet(fault);
    EXPECT_EQ(outcome.status, "ok") << fault;
    EXPECT_GE(outcome.took, calm().took + milliseconds(150)) << fault;
    EXPECT_LE(outcome.took, calm().took + milliseconds(4'000)) << fault;
  }
}

TEST_P(EveryTransportTest, AServerThatRefusesIsNotThere) {
  const Outcome outcome = meet(R"("do": "refuse", "at_ms": 0, "for_ms": 80000000)");
  EXPECT_NE(outcome.status, "ok");
  EXPECT_EQ(starts(outcome), 0U);
}

TEST_P(EveryTransportTest, WhatBreaksIsNoticed) {
  for (const char* const verb : {"reset", "kill", "half_close"}) {
    const Outcome outcome = meet(R"("at_ms": 25, "do": ")" + std::string(verb) + '"');
    EXPECT_NE(outcome.took, calm().took) << verb;
  }
}

TEST_P(EveryTransportTest, WhatBreaksInTheHandshakeIsOpenedAgain) {
  if (GetParam() != "bytes" && GetParam() != "values") GTEST_SKIP() << "it is not dialled yet";
  for (const char* const verb : {"reset", "kill", "half_close"}) {
    const Outcome outcome = meet(R"("at_ms": 5, "do": ")" + std::string(verb) + '"');
    EXPECT_EQ(outcome.status, "ok") << verb;
    EXPECT_EQ(starts(outcome), 2U) << verb;
  }
}

TEST_P(EveryTransportTest, AServerWhoseInputEndsIsHeardOfOrNot) {
  meet(R"("do": "half_close", "at_ms": 25, "way": "to")");
}

TEST_P(EveryTransportTest, AKilledServerStaysDownAsLongAsItSays) {
  const Outcome outcome = meet(R"("do": "kill", "at_ms": 25, "for_ms": 80000000)");
  EXPECT_NE(outcome.status, "ok");
}

TEST_P(EveryTransportTest, CutsChangeNothing) {
  if (GetParam() == "values") GTEST_SKIP() << "values are not cut";
  const Outcome outcome = meet(R"("do": "fragment", "at_ms": 0)");
  EXPECT_EQ(outcome.status, "ok");
  EXPECT_EQ(outcome.took, calm().took);
}

TEST_P(EveryTransportTest, AStreamBreaksAtAnyByte) {
  if (GetParam() == "values") GTEST_SKIP() << "values have no bytes";
  for (const char* const way : {"from", "to"}) {
    const Outcome cut =
        meet(R"("do": "reset", "after_bytes": 50, "nth": 1, "way": ")" + std::string(way) + '"');
    EXPECT_NE(cut.took, calm().took) << way;
  }
}

// One stream to a server "s", and what a plan does to it.
class FaultPlanTest : public testing::Test {
 protected:
  struct OneLink final : Link {
    explicit OneLink(fakes::SimPipe& its_pipe) : pipe(its_pipe) {}
    fakes::Breakable& end() override { return pipe; }
    bool kill() override { return ++kills > 0; }
    fakes::SimPipe& pipe;
    int kills = 0;
  };

  FaultPlan& plan(std::vector<Fault> faults) {
    faults_ = std::move(faults);
    return plan_.emplace(loop_, events_, faults_);
  }
  static Fault fault(Fault::Verb verb, Duration at, Duration lasts = {}) {
    Fault out;
    out.server = "s";
    out.verb = verb;
    out.at = at;
    out.lasts = lasts;
    return out;
  }
  FaultPlan::Tally tally(Fault::Verb verb) const {
    return plan_->tally()[static_cast<std::size_t>(verb)];
  }
  void run(Instant until = kNever) { ASSERT_TRUE(loop_.run_until_idle(100'000, until).ok()); }

  fakes::SimLoop loop_;
  fakes::EventLog events_;
  std::vector<Fault> faults_;
  std::optional<FaultPlan> plan_;
  fakes::PipeLog log_;
};

TEST_F(FaultPlanTest, WhatStrikesNothingIsCountedAsSuch) {
  plan({fault(Fault::Verb::kReset, seconds(1)), fault(Fault::Verb::kReset, seconds(2))});
  run(Instant(milliseconds(1'500)));
  fakes::SimPipePair pipes = fakes::make_sim_pipe(loop_, {}, Rng(1));
  OneLink link(*pipes.near);
  plan_->opened("s", link);
  EXPECT_EQ(tally(Fault::Verb::kReset).struck, 1);
  EXPECT_EQ(tally(Fault::Verb::kReset).met, 0);
  run();
  EXPECT_EQ(tally(Fault::Verb::kReset).struck, 2);
  EXPECT_EQ(tally(Fault::Verb::kReset).met, 1);
  EXPECT_EQ(events_.lines.size(), 1U);
}

TEST_F(FaultPlanTest, ANewStreamHasItsShareOfWhatGoesOn) {
  plan({fault(Fault::Verb::kHold, seconds(1), seconds(9))});
  run(Instant(seconds(2)));
  fakes::SimPipePair pipes = fakes::make_sim_pipe(loop_, {}, Rng(1));
  pipes.near->start(log_);
  OneLink link(*pipes.near);
  plan_->opened("s", link);
  EXPECT_EQ(tally(Fault::Verb::kHold).met, 0);
  pipes.far->write("x");
  EXPECT_EQ(tally(Fault::Verb::kHold).met, 1);
  run(Instant(milliseconds(9'999)));
  EXPECT_EQ(log_.text, "");
  run();
  EXPECT_EQ(log_.text, "x");
}

TEST_F(FaultPlanTest, ItIsHealedWhenTheLastFaultIsOver) {
  EXPECT_EQ(plan({}).healed_at(), Instant());
  EXPECT_EQ(plan({fault(Fault::Verb::kStall, seconds(1), seconds(9)),
                  fault(Fault::Verb::kReset, seconds(3))})
                .healed_at(),
            Instant(seconds(10)));
  EXPECT_EQ(plan({fault(Fault::Verb::kFragment, seconds(1), kForever)}).healed_at(),
            Instant(seconds(1)))
      << "cuts lose nothing";
  Fault each = fault(Fault::Verb::kReset, {});
  each.after_bytes = 3;
  EXPECT_EQ(plan({each}).healed_at(), kNever);
}

TEST_F(FaultPlanTest, WhatWaitsForAByteOrAWriteHealsOnceItHasStruck) {
  Fault cut = fault(Fault::Verb::kReset, {});
  cut.after_bytes = 3;
  cut.nth = 2;
  Fault late = fault(Fault::Verb::kDelay, {}, seconds(5));
  late.nth = 2;
  plan({cut, late});
  EXPECT_EQ(plan_->healed_at(), Instant());
  fakes::SimPipePair first = fakes::make_sim_pipe(loop_, {}, Rng(1));
  fakes::SimPipePair second = fakes::make_sim_pipe(loop_, {}, Rng(2));
  OneLink one(*first.near);
  OneLink two(*second.near);
  first.near->start(log_);
  fakes::PipeLog other;
  second.near->start(other);
  plan_->opened("s", one);
  plan_->opened("s", two);
  first.far->write("abcdef");
  run();
  EXPECT_EQ(log_.text, "abcdef") << "the first stream is not meant, nor is the first write";
  EXPECT_EQ(loop_.now(), Instant());
  second.far->write("abcdef");
  run();
  EXPECT_EQ(other.text, "abc");
  EXPECT_TRUE(other.error);
  EXPECT_EQ(loop_.now(), Instant(seconds(5))) << "the second write came late";
  EXPECT_EQ(plan_->healed_at(), Instant(seconds(5)));
  EXPECT_EQ(events_.lines.size(), 2U);
}

TEST_F(FaultPlanTest, AKillGoesToTheProcessOrToWhoEndsTheHost) {
  plan({fault(Fault::Verb::kKill, seconds(1)), fault(Fault::Verb::kKill, seconds(2), seconds(3))});
  fakes::SimPipePair pipes = fakes::make_sim_pipe(loop_, {}, Rng(1));
  OneLink link(*pipes.near);
  plan_->opened("s", link);
  run(Instant(seconds(1)));
  EXPECT_EQ(link.kills, 1);
  EXPECT_FALSE(plan_->refuses("s")) << "it can be started again at once";
  int host = 0;
  plan_->on_kill("s", [&host] { ++host; });
  run(Instant(seconds(2)));
  EXPECT_EQ(host, 1);
  EXPECT_EQ(link.kills, 1);
  EXPECT_TRUE(plan_->refuses("s"));
  EXPECT_FALSE(plan_->refuses("other"));
  run(Instant(seconds(5)));
  Alarm later([] {});
  loop_.arm(later, Instant(seconds(5)));
  run();
  EXPECT_FALSE(plan_->refuses("s"));
}

TEST_F(FaultPlanTest, AStoppedPlanLeavesTheLoopIdle) {
  plan({fault(Fault::Verb::kReset, seconds(1))});
  plan_->stop();
  EXPECT_TRUE(loop_.idle());
}

}  // namespace
}  // namespace plumbline::scenarios
