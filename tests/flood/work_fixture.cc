#include "tests/flood/work_fixture.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>

#include <gtest/gtest.h>

namespace {

std::int64_t g_steps = 0;

}  // namespace

// What each basic block calls, but for its own.
extern "C" __attribute__((no_sanitize("coverage"))) void __sanitizer_cov_trace_pc();
extern "C" void __sanitizer_cov_trace_pc() { ++g_steps; }

namespace plumbline {

namespace {

// Between two sizes the work may grow by so much, of four: one more for a lookup among more, and
// one for what has to be done anew. With the square of the messages it grows by sixteen.
constexpr std::int64_t kGrowthMax = 6;
constexpr std::int64_t kStepsOnce = 2'000;  // What is done once, as to tell of what is wrong.

}  // namespace

std::int64_t steps_taken() { return g_steps; }

void expect_in_proportion(const std::string& kind, const Work& work) {
  std::array<std::int64_t, kSizes.size()> all{};
  std::string steepest;
  double growth_max = 0;
  for (const auto& [rule, steps] : work) {
    for (std::size_t size = 0; size < kSizes.size(); ++size) all[size] += steps[size];
    const std::int64_t first = std::max<std::int64_t>(steps[1] - steps[0], 0);
    const std::int64_t then = steps[2] - steps[1];
    EXPECT_LE(then, kGrowthMax * first + kStepsOnce)
        << rule << " takes " << steps[0] << ", " << steps[1] << " and " << steps[2] << " steps for "
        << kSizes[0] << ", " << kSizes[1] << " and " << kSizes[2] << " of " << kind;
    const double growth =
        static_cast<double>(then) / static_cast<double>(std::max(first, kStepsOnce));
    if (growth <= growth_max) continue;
    growth_max = growth;
    steepest = rule;
  }
  std::printf("%-64s %10lld %10lld %11lld  x%.1f  x%.1f %s\n", kind.c_str(),
              static_cast<long long>(all[0]), static_cast<long long>(all[1]),
              static_cast<long long>(all[2]),
              static_cast<double>(all[2] - all[1]) / static_cast<double>(all[1] - all[0]),
              growth_max, steepest.c_str());
  EXPECT_GT(all[0], 0) << "no step was counted";
}

std::string numbered(std::string text, int number) {
  for (std::size_t at = 0; (at = text.find('#', at)) != std::string::npos;) {
    text.replace(at, 1, std::to_string(number));
  }
  return text;
}

}  // namespace plumbline
