// Whole worlds: connect, discover, call, integrate, shut down, with every invariant on.
//
// The first benchmarks count worlds a second; the timeout counts virtual seconds for each second of
// the wall; the last one runs 100,000 worlds and tells how much memory the process holds after
// 1,000 and at the end.

#include <fstream>
#include <string>

#include <benchmark/benchmark.h>

#include "core/base/check.h"
#include "scenarios/format/format.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {

namespace {

Scenario load(const char* expect, const char* does) {
  const std::string text = std::string(R"({
    "plumbline": 1, "id": "s", "title": "A folder is listed.",
    "request": {"input": "List the files in the managed project folder."},
    "servers": {"files": {"tools": [{"name": "list_directory",
      "description": "List the files of a folder",
      "inputSchema": {"type": "object",
                      "properties": {"path": {"type": "string", "default": "."}}},
      "does": )") + does +
                           "}]}}, \"expect\": " + expect + '}';
  Result<Scenario> scenario = load_scenario(text, "s.json");
  check(scenario.ok(), "the scenario of a benchmark can be read");
  return std::move(scenario).value();
}

Scenario happy_path() {
  return load(R"({"status": "ok", "effects": 0})",
              R"([{"reply": {"content": [{"type": "text", "text": "sample.txt\nnotes.md"}]}}])");
}

RunResult run(const Scenario& scenario, std::uint64_t seed, Transport transport) {
  RunOptions options;
  options.seed = seed;
  options.transport = transport;
  RunResult result = run_scenario(scenario, options);
  check(result.verdict == Verdict::kPass, "the scenario of a benchmark passes");
  return result;
}

void BM_HappyPath(benchmark::State& state, Transport transport) {
  const Scenario scenario = happy_path();
  std::uint64_t seed = 0;
  for (auto unused : state) benchmark::DoNotOptimize(run(scenario, ++seed, transport));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(BM_HappyPath, values, Transport::kValues);
BENCHMARK_CAPTURE(BM_HappyPath, bytes, Transport::kBytes);

void BM_HappyPathTraced(benchmark::State& state) {
  const Scenario scenario = happy_path();
  RunOptions options;
  options.transport = Transport::kBytes;
  options.want.trace_hash = true;
  for (auto unused : state) {
    ++options.seed;
    benchmark::DoNotOptimize(run_scenario(scenario, options));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_HappyPathTraced);

// virtual_to_wall is how much faster than the wall a request of 30 seconds passes.
void BM_ThirtySecondTimeout(benchmark::State& state) {
  const Scenario scenario = load(R"({"status": "failed"})", R"([{"hang": true}])");
  double virtual_seconds = 0;
  std::uint64_t seed = 0;
  for (auto unused : state) {
    const RunResult result = run(scenario, ++seed, Transport::kBytes);
    virtual_seconds += std::chrono::duration<double>(result.answered_after).count();
  }
  state.counters["virtual_to_wall"] =
      benchmark::Counter(virtual_seconds, benchmark::Counter::kIsRate);
}
BENCHMARK(BM_ThirtySecondTimeout)->UseRealTime();

// resident_mb returns what this process holds of the machine's memory.
double resident_mb() {
  constexpr double kPagesAMegabyte = 256;  // Of 4 KiB.
  std::ifstream statm("/proc/self/statm");
  double total = 0;
  double resident = 0;
  statm >> total >> resident;
  return resident / kPagesAMegabyte;
}

void BM_HundredThousandWorlds(benchmark::State& state) {
  const Scenario scenario = happy_path();
  for (auto unused : state) {
    for (std::uint64_t seed = 1; seed <= 100'000; ++seed) {
      if (seed == 1'001) state.counters["mb_after_1000"] = resident_mb();
      benchmark::DoNotOptimize(run(scenario, seed, Transport::kValues));
    }
    state.counters["mb_after_100000"] = resident_mb();
  }
}
BENCHMARK(BM_HundredThousandWorlds)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace plumbline::scenarios
