// What the connector costs a request: the limit of a bucket, beside the same bucket as a count that
// is filled by the time that has passed, in floating point.

#include <chrono>
#include <map>
#include <string>

#include <benchmark/benchmark.h>

#include "core/connector/limits/rate_limiter.h"

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

}  // namespace
}  // namespace plumbline::connector
