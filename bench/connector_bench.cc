// What the connector costs a request: the limit of a bucket, beside the same bucket as a count that
// is filled by the time that has passed, in floating point; and the lease of a connection, beside a
// bare list of those that are idle.

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/base/task.h"
#include "core/base/timer_queue.h"
#include "core/connector/limits/rate_limiter.h"
#include "core/connector/pool/connection_pool.h"

namespace plumbline::connector {
namespace {

using std::chrono::microseconds;

void BM_CheckLimit(benchmark::State& state) {
  RateLimitConfig config;
  config.requests_per_second = 1e6;
  config.per_method_limits = {{"prompts/get", 5}, {"resources/read", 50}, {"tools/call", 1e6}};
  RateLimiter limiter(config);
  Instant now{};
  for (auto unused : state) {
    now += microseconds(1);
    benchmark::DoNotOptimize(limiter.check_limit("tools/call", now));
  }
}
BENCHMARK(BM_CheckLimit);

// CountingBucket is the usual one.
struct CountingBucket {
  bool take(Instant now) {
    tokens += std::chrono::duration<double>(now - filled).count() * rate;
    if (tokens > burst) tokens = burst;
    filled = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  }

  double rate = 1e6;
  double burst = 20;
  double tokens = 20;
  Instant filled{};
};

void BM_CountingBuckets(benchmark::State& state) {
  CountingBucket all;
  std::map<std::string, CountingBucket, std::less<>> methods;
  for (const char* method : {"prompts/get", "resources/read", "tools/call"}) methods[method] = {};
  Instant now{};
  for (auto unused : state) {
    now += microseconds(1);
    const bool went =
        all.take(now) && methods.find(std::string_view("tools/call"))->second.take(now);
    benchmark::DoNotOptimize(went);
  }
}
BENCHMARK(BM_CountingBuckets);

// IdleLoop never gets on.
class IdleLoop final : public Loop {
 public:
  Instant now() const override { return Instant(); }
  void arm(Timer& timer, Instant when) override { queue_.arm(timer, when, 0); }

 private:
  TimerQueue queue_;
};

// AlwaysOpen has a connection to everybody.
class AlwaysOpen final : public PoolOwner {
 public:
  bool is_open(const PoolKey&) const override { return true; }
  Task<bool> ping(PoolKey) override { co_return true; }
  Task<void> close(PoolKey, std::string) override { co_return; }
};

Task<void> lease_once(ConnectionPool& pool, std::vector<std::string> agents,
                      benchmark::State& state) {
  std::size_t next = 0;
  for (auto unused : state) {
    std::string agent = agents[next++ % agents.size()];
    std::string principal = "ann";
    Result<ConnectionPool::Lease> lease =
        co_await pool.acquire(std::move(agent), std::move(principal), kNever);
    if (lease.value().must_open()) lease.value().opened();
  }
}

void BM_AcquireAndRelease(benchmark::State& state) {
  IdleLoop loop;
  AlwaysOpen owner;
  ConnectionPool pool(loop, owner, {});
  std::vector<std::string> agents;
  for (int i = 0; i < state.range(0); ++i) agents.push_back("agent-" + std::to_string(i));
  Task<void> task = lease_once(pool, agents, state);
  task.start();
}
BENCHMARK(BM_AcquireAndRelease)->Arg(1)->Arg(500);

void BM_BareListOfIdle(benchmark::State& state) {
  std::map<PoolKey, std::vector<int>> idle;
  std::vector<std::string> agents;
  for (int i = 0; i < state.range(0); ++i) {
    agents.push_back("agent-" + std::to_string(i));
    idle[{agents.back(), "ann"}].push_back(i);
  }
  std::size_t next = 0;
  for (auto unused : state) {
    PoolKey key{agents[next++ % agents.size()], "ann"};
    std::vector<int>& of = idle.find(key)->second;
    const int connection = of.back();
    of.pop_back();
    benchmark::DoNotOptimize(connection);
    of.push_back(connection);
  }
}
BENCHMARK(BM_BareListOfIdle)->Arg(1)->Arg(500);

}  // namespace
}  // namespace plumbline::connector
