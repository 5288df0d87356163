// The pool over connections that take time to open, die, and are slow to end, in virtual time: the
// bound holds, no two principals meet, nobody is forgotten, and those who wait are served alike.

#include "core/connector/pool/connection_pool.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <set>
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
using std::chrono::minutes;
using std::chrono::seconds;

// Lines are the connections that there are.
class Lines final : public PoolOwner {
 public:
  explicit Lines(Loop& loop) : loop_(loop) {}

  // implements PoolOwner ---
  bool is_open(const PoolKey& key) const override { return open.contains(key); }
  Task<bool> ping(PoolKey key) override {
    ++pings;
    const Instant heard = after(loop_.now(), milliseconds(3));
    co_await Sleep(loop_, heard);
    co_return open.contains(key) && !deaf;
  }
  Task<void> close(PoolKey key, std::string why) override {
    log.push_back(key.agent + ": " + why);
    const Instant ended = after(loop_.now(), milliseconds(7));
    co_await Sleep(loop_, ended);
    open.erase(key);
  }

  std::set<PoolKey> open;
  std::vector<std::string> log;
  int pings = 0;
  bool deaf = false;

 private:
  Loop& loop_;
};

struct Told {
  int served = 0;
  int refused = 0;
  int failed = 0;
  std::size_t most_open = 0;
  std::string last_refusal;
};

// use takes a connection, opens it where it must, and holds it.
Task<void> use(Loop& loop, ConnectionPool& pool, Lines& lines, PoolKey key, Instant deadline,
               Duration holds, bool fails, Told& told) {
  std::string agent = key.agent;
  std::string principal = key.principal;
  Result<ConnectionPool::Lease> got =
      co_await pool.acquire(std::move(agent), std::move(principal), deadline);
  if (!got.ok()) {
    check(loop.now() <= deadline, "somebody is told too late");
    told.last_refusal = got.error().message;
    ++told.refused;
    co_return;
  }
  ConnectionPool::Lease lease = std::move(got).value();
  if (lease.must_open()) {
    const Instant opened = after(loop.now(), milliseconds(5));
    co_await Sleep(loop, opened);
    if (fails) {
      ++told.failed;
      co_return;
    }
    lines.open.insert(key);
    lease.opened();
  }
  told.most_open = std::max(told.most_open, lines.open.size());
  if (!lines.open.contains(key)) {  // It has died since.
    ++told.failed;
    co_return;
  }
  const Instant done = after(loop.now(), holds);
  co_await Sleep(loop, done);
  ++told.served;
}

class ConnectionPoolTest : public testing::Test {
 protected:
  ConnectionPool& pool(PoolOptions options) {
    return *(pool_ = std::make_unique<ConnectionPool>(loop_, lines_, options));
  }

  void spawn(const std::string& agent, const std::string& principal, Duration holds = {},
             Instant deadline = kNever) {
    PoolKey key{agent, principal};
    group_.spawn(use(loop_, *pool_, lines_, std::move(key), deadline, holds, false, told_));
  }

  void run_for(Duration span) {
    const Instant end = after(loop_.now(), span);
    Alarm clock([] {});
    loop_.arm(clock, end);
    while (loop_.now() < end && loop_.step()) {
    }
  }

  TinyLoop loop_;
  Lines lines_{loop_};
  Told told_;
  std::unique_ptr<ConnectionPool> pool_;
  TaskGroup group_;
};

TEST_F(ConnectionPoolTest, CountsWhatIsOpenInUseAndWaitedFor) {
  PoolOptions options;
  options.connections_max = 2;
  const ConnectionPool& counted = pool(options);
  spawn("files", "ann", seconds(1));
  spawn("files", "ann", seconds(1));  // Over the same one.
  spawn("wiki", "ann", seconds(2));
  spawn("mail", "ann", seconds(1));
  run_for(milliseconds(100));
  EXPECT_EQ(counted.stats().total, 2U);
  EXPECT_EQ(counted.stats().active, 2U);
  EXPECT_EQ(counted.stats().pending, 1U);
  loop_.run();
  EXPECT_EQ(told_.served, 4);
  EXPECT_EQ(counted.stats().total, 2U);
  EXPECT_EQ(counted.stats().idle, 2U);
  EXPECT_EQ(counted.stats().pending, 0U);
  EXPECT_EQ(lines_.log, std::vector<std::string>{"files: another agent needs the room"});
}

TEST_F(ConnectionPoolTest, ASessionIsNeverSharedByTwoPrincipals) {
  pool(PoolOptions());
  for (const char* principal : {"ann", "bob", "ann"}) spawn("files", principal, seconds(1));
  loop_.run();
  EXPECT_EQ(lines_.open, (std::set<PoolKey>{{"files", "ann"}, {"files", "bob"}}));
  EXPECT_EQ(pool_->stats().total, 2U);
}

TEST_F(ConnectionPoolTest, ManyWhoWantTheSameDialOnce) {
  pool(PoolOptions());
  for (int i = 0; i < 20; ++i) spawn("files", "ann", milliseconds(1));
  loop_.run();
  EXPECT_EQ(told_.served, 20);
  EXPECT_EQ(lines_.open.size(), 1U);
  EXPECT_EQ(loop_.now(), Instant(milliseconds(6)));
}

TEST_F(ConnectionPoolTest, WhoWaitsIsToldAtTheDeadlineWhatThereIs) {
  PoolOptions options;
  options.connections_max = 1;
  pool(options);
  spawn("files", "ann", seconds(10));
  spawn("wiki", "bob", seconds(1), Instant(seconds(2)));
  run_for(milliseconds(1'999));
  EXPECT_EQ(told_.refused, 0);
  run_for(milliseconds(1));
  EXPECT_EQ(told_.refused, 1);
  EXPECT_EQ(told_.last_refusal,
            "no connection to wiki in time: 1 of 1 are in use, and 0 more requests wait for one");
  EXPECT_EQ(pool_->stats().pending, 0U);
}

TEST_F(ConnectionPoolTest, ADeadConnectionIsReplaced) {
  pool(PoolOptions());
  spawn("files", "ann");
  loop_.run();
  lines_.open.clear();
  EXPECT_EQ(pool_->stats().total, 0U);
  spawn("files", "ann");
  loop_.run();
  EXPECT_EQ(lines_.open.size(), 1U);
  EXPECT_EQ(told_.served, 2);
}

TEST_F(ConnectionPoolTest, OneThatHasDiedOrWasNotOpenedCountsUntilItHasEnded) {
  PoolOptions options;
  options.connections_max = 1;
  pool(options);
  spawn("files", "ann");
  loop_.run();
  lines_.open.clear();
  const Instant died = loop_.now();
  spawn("wiki", "ann", {}, died + milliseconds(6));  // It takes 7 ms to end, and 5 ms to open.
  loop_.run();
  EXPECT_EQ(told_.refused, 1);
  const Instant failed = loop_.now() + milliseconds(5);
  PoolKey key{"mail", "ann"};
  group_.spawn(use(loop_, *pool_, lines_, std::move(key), kNever, {}, true, told_));
  spawn("wiki", "ann");
  loop_.run();
  EXPECT_EQ(told_.served, 2);
  EXPECT_EQ(loop_.now(), failed + milliseconds(7 + 5));
}

TEST_F(ConnectionPoolTest, IdleConnectionsAreAskedAndThoseThatDoNotAnswerClosed) {
  PoolOptions options;
  options.heartbeat_interval = seconds(30);
  pool(options);
  spawn("files", "ann");
  run_for(seconds(100));
  EXPECT_EQ(lines_.pings, 3);
  EXPECT_EQ(pool_->stats().idle, 1U);
  lines_.deaf = true;
  run_for(seconds(30));
  EXPECT_EQ(pool_->stats().total, 0U);
  EXPECT_EQ(lines_.log, std::vector<std::string>{"files: it does not answer its heartbeat"});
  loop_.run();  // And nothing is asked any more.
  EXPECT_EQ(lines_.pings, 4);
}

TEST_F(ConnectionPoolTest, WhatNobodyUsesIsClosed) {
  PoolOptions options;
  options.idle_max = minutes(5);
  pool(options);
  spawn("files", "ann");
  run_for(minutes(5));
  EXPECT_EQ(pool_->stats().idle, 1U);
  loop_.run();
  EXPECT_EQ(lines_.log, std::vector<std::string>{"files: nobody has used it for 300000 ms"});
}

TEST_F(ConnectionPoolTest, ClosingAnAgentTellsWhoWaitsForIt) {
  PoolOptions options;
  options.connections_max = 1;
  pool(options);
  spawn("files", "ann", seconds(10));
  spawn("wiki", "ann");
  run_for(seconds(1));
  group_.spawn(pool_->close("wiki"));
  run_for(milliseconds(1));
  EXPECT_EQ(told_.last_refusal, "agent wiki is disconnected");
  EXPECT_EQ(pool_->stats().pending, 0U);
  loop_.run();
  group_.spawn(pool_->close("files"));
  loop_.run();
  EXPECT_EQ(lines_.open.size(), 0U);
}

// client asks one request after the other until the end.
Task<void> client(Loop& loop, ConnectionPool& pool, Lines& lines, PoolKey key, Instant end,
                  Told& told) {
  while (loop.now() < end) {
    PoolKey own = key;
    Task<void> request =
        use(loop, pool, lines, std::move(own), kNever, milliseconds(10), false, told);
    co_await std::move(request);
  }
}

TEST_F(ConnectionPoolTest, AHundredPrincipalsAreServedAlikeHoweverManyRequestsOneHas) {
  PoolOptions options;
  options.connections_max = 10;
  pool(options);
  std::vector<Told> told(100);
  const Instant end(seconds(60));
  for (std::size_t i = 0; i < told.size(); ++i) {
    // Every tenth asks for ten things at a time.
    for (int k = 0; k < (i % 10 == 0 ? 10 : 1); ++k) {
      PoolKey key{"files", "principal " + std::to_string(i)};
      group_.spawn(client(loop_, *pool_, lines_, std::move(key), end, told[i]));
    }
  }
  run_for(seconds(60));
  int least = told[0].served;
  int most = told[0].served;
  int all = 0;
  std::size_t most_open = 0;
  for (const Told& one : told) {
    least = std::min(least, one.served);
    most = std::max(most, one.served);
    all += one.served;
    most_open = std::max(most_open, one.most_open);
  }
  EXPECT_LE(most_open, 10U);
  EXPECT_GE(least * 100, all * 95 / 100);
  EXPECT_LE(most * 100, all * 105 / 100);
  EXPECT_GT(all, 10'000);
  group_.cancel();
}

RC_GTEST_PROP(ConnectionPoolPropTest, KeepsItsBoundAndForgetsNobody, ()) {
  TinyLoop loop;
  Lines lines(loop);
  PoolOptions options;
  options.connections_max = *rc::gen::inRange<std::size_t>(1, 5);
  options.requests_max = *rc::gen::inRange<std::size_t>(1, 4);
  options.turn_requests_max = *rc::gen::inRange(1, 4);
  if (*rc::gen::arbitrary<bool>()) options.idle_max = milliseconds(40);
  if (*rc::gen::arbitrary<bool>()) options.heartbeat_interval = milliseconds(15);
  ConnectionPool pool(loop, lines, options);
  Told told;
  TaskGroup group;
  int asked = 0;
  const int steps = *rc::gen::inRange(1, 80);
  for (int i = 0; i < steps; ++i) {
    const int what = *rc::gen::inRange(0, 10);
    if (what == 0) group.spawn(pool.close("agent 1"));
    if (what == 1 && !lines.open.empty()) lines.open.erase(lines.open.begin());
    if (what == 2) lines.deaf = !lines.deaf;
    if (what > 2) {
      PoolKey key{"agent " + std::to_string(*rc::gen::inRange(0, 4)),
                  *rc::gen::element("ann", "bob", "cid")};
      const Instant deadline =
          after(loop.now(), milliseconds(*rc::gen::element(0, 10, 60, 10'000)));
      const Duration holds = milliseconds(*rc::gen::inRange(0, 30));
      const bool fails = *rc::gen::inRange(0, 5) == 0;
      group.spawn(use(loop, pool, lines, std::move(key), deadline, holds, fails, told));
      ++asked;
    }
    for (int k = *rc::gen::inRange(0, 6); k > 0 && loop.step(); --k) {
    }
    const ConnectionStats stats = pool.stats();
    RC_ASSERT(stats.total <= options.connections_max);
    RC_ASSERT(stats.total == stats.active + stats.idle);
    RC_ASSERT(lines.open.size() <= options.connections_max);
  }
  lines.deaf = false;
  for (int i = 0; i < 100'000 && group.running() > 0; ++i) RC_ASSERT(loop.step());
  RC_ASSERT(group.running() == 0U);
  RC_ASSERT(told.served + told.refused + told.failed == asked);
  RC_ASSERT(pool.stats().pending == 0U);
  RC_ASSERT(pool.stats().active == 0U);
  RC_CLASSIFY(told.refused > 0, "somebody was refused");
  RC_CLASSIFY(!lines.log.empty(), "something was closed");
}

}  // namespace
}  // namespace plumbline::connector
