// The shrinker on planted bugs: one of four commands, and a run of 200 events under 20 faults.

#include <vector>

#include <benchmark/benchmark.h>

#include "scenarios/shrink/shrink_choices.h"
#include "scenarios/shrink/shrink_planted.h"

namespace {

using namespace plumbline;
using scenarios::Fails;

std::vector<std::uint64_t> first_failure(const Fails& fails, std::uint64_t seed) {
  for (;; ++seed) {
    fakes::Choices choices{Rng(seed)};
    if (!fails(choices)) continue;
    std::vector<std::uint64_t> values;
    for (const fakes::Choices::Choice& choice : choices.made()) values.push_back(choice.value);
    return values;
  }
}

// shrink measures one failure after the other, of other seeds.
void shrink(benchmark::State& state, const Fails& fails) {
  std::uint64_t seed = 0;
  std::int64_t tries = 0;
  for (auto step : state) {
    state.PauseTiming();
    const std::vector<std::uint64_t> values = first_failure(fails, seed++ % 40 * 1'000);
    state.ResumeTiming();
    tries += scenarios::shrink_choices(values, fails).tries;
  }
  state.counters["tries"] =
      benchmark::Counter(static_cast<double>(tries), benchmark::Counter::kAvgIterations);
}

void four_commands(benchmark::State& state) {
  shrink(state, scenarios::planted::write_after_close_is_read);
}
BENCHMARK(four_commands)->Unit(benchmark::kMillisecond);

void four_counted_commands(benchmark::State& state) {
  shrink(state, scenarios::planted::counted_write_after_close_is_read);
}
BENCHMARK(four_counted_commands)->Unit(benchmark::kMillisecond);

void two_hundred_events(benchmark::State& state) {
  shrink(state, scenarios::planted::long_run_loses_an_effect);
}
BENCHMARK(two_hundred_events)->Unit(benchmark::kMillisecond);

}  // namespace
