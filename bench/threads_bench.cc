// What a thread costs its store beside many others, and what a conflict costs: the time beside the
// calls that tests/stores/many_threads_test.cc counts.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/base/check.h"
#include "core/store/memory_record_store.h"
#include "core/store/thread_store.h"
#include "fakes/world/sim_doors.h"
#include "fakes/world/sim_loop.h"

namespace plumbline::store {
namespace {

using graph::SavedState;

constexpr std::int64_t kSteps = 3;

graph::Branch<SavedState> branch(const char* key, bool done) {
  graph::Branch<SavedState> branch;
  branch.key = branch.node = key;
  if (done) branch.update.emplace(Json{{"version", 1}, {"value", key}});
  return branch;
}

SavedCheckpoint step_of_branches(std::int64_t number) {
  graph::Snapshot<SavedState> at{SavedState(Json{{"version", 1}, {"value", number}})};
  for (const char* const key : {"a", "b", "c"}) at.branches.push_back(branch(key, false));
  SavedCheckpoint step{std::move(at)};
  step.step = number;
  if (number > 0) step.parent = number - 1;
  return step;
}

class Stores {
 public:
  template <typename T>
  T finish(Task<T> task) {
    check(loop_.run_task(task).ok(), "the store hangs");
    return std::move(task.result());
  }
  void must(Task<Status> task) { check(finish(std::move(task)).ok(), "a write is refused"); }

  ThreadStore one() { return ThreadStore(records_, clock_); }

 private:
  fakes::SimLoop loop_;
  fakes::SimWallClock clock_{loop_, Duration{}};
  MemoryRecordStore records_;
};

// Threads of three steps of three branches, each write between those of all others. The time is
// that of one thread.
void threads_side_by_side(benchmark::State& state) {
  const auto threads = static_cast<std::size_t>(state.range(0));
  for (auto _ : state) {
    Stores stores;
    ThreadStore store = stores.one();
    std::vector<std::int64_t> versions(threads, 0);
    const auto write = [&](auto put) {
      for (std::size_t i = 0; i < threads; ++i) {
        stores.must(put(graph::Turn{"t" + std::to_string(i), versions[i]++, 1}));
      }
    };
    for (std::int64_t step = 0; step < kSteps; ++step) {
      write([&](graph::Turn turn) { return store.put(std::move(turn), step_of_branches(step)); });
      for (const char* const key : {"b", "c", "a"}) {
        write(
            [&](graph::Turn turn) { return store.put_branch(std::move(turn), branch(key, true)); });
      }
    }
  }
  state.counters["per_thread"] =
      benchmark::Counter(static_cast<double>(state.iterations() * state.range(0)),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(threads_side_by_side)->Arg(1)->Arg(10)->Arg(100)->Arg(1'000);

// One of two writers of a step: undisturbed, or told that the other has written, so that it looks
// and writes again.
void a_branch_is_written(benchmark::State& state) {
  const bool conflicts = state.range(0) == 1;
  for (auto _ : state) {
    state.PauseTiming();
    Stores stores;
    ThreadStore one = stores.one();
    ThreadStore two = stores.one();
    stores.must(one.put({"t", 0, 1}, step_of_branches(0)));
    check(stores.finish(two.latest("t")).ok(), "nothing is kept");
    if (conflicts) stores.must(two.put_branch({"t", 1, 2}, branch("a", true)));
    state.ResumeTiming();
    const Status written = stores.finish(one.put_branch({"t", 1, 1}, branch("b", true)));
    check(written.ok() != conflicts, "the wrong one is told");
    if (conflicts) {
      const auto now = stores.finish(one.latest("t"));
      stores.must(one.put_branch({"t", now.value()->version.number, 1}, branch("b", true)));
    }
  }
}
BENCHMARK(a_branch_is_written)->ArgName("conflict")->Arg(0)->Arg(1);

}  // namespace
}  // namespace plumbline::store
