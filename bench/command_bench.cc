// What a local command costs above a child of the spawner: the same program by way of the rules and
// the runner.

#include <memory>
#include <string>
#include <utility>

#include <benchmark/benchmark.h>

#include "core/agents/command_line/command_desk.h"
#include "core/os/child/real_paths.h"
#include "core/os/child/real_spawner.h"
#include "core/os/real_file_store.h"
#include "core/os/real_loop.h"
#include "core/os/wall_clock.h"

namespace plumbline::agents::command_line {
namespace {

CommandRules bench_rules() {
  CommandRules rules;
  rules.programs = {"true"};
  rules.roots = {"."};
  rules.approval = false;
  return rules;
}

// What the runner stands on: a child whose streams are read and whose end is awaited.
void a_bare_child(benchmark::State& state) {
  os::RealLoop loop;
  os::RealSpawner spawner(loop);
  net::Command command({"true"});
  command.program = "/usr/bin/true";
  command.inherits = false;
  for ([[maybe_unused]] auto turn : state) {
    Result<std::unique_ptr<net::Child>> child = spawner.spawn(command);
    if (!child.ok()) return state.SkipWithError("it does not start");
    bool ended = false;
    child.value()->on_exit([&ended] { ended = true; });
    child.value()->stdio().close_write();
    loop.run_until([&ended] { return ended; });
  }
}
BENCHMARK(a_bare_child)->Unit(benchmark::kMicrosecond)->UseRealTime();

void a_command(benchmark::State& state) {
  os::RealLoop loop;
  os::RealSpawner spawner(loop);
  os::RealPaths paths;
  const CommandPolicy policy = CommandPolicy::make(bench_rules(), paths).value();
  CommandRunner runner(loop, spawner, {});
  CommandDesk desk(policy, runner, nullptr);
  for ([[maybe_unused]] auto turn : state) {
    CommandRequest request{"true", {}, {}, false};
    Task<CommandResult> task = desk.run(std::move(request), "", "bench", std::nullopt);
    task.start();
    loop.run_until([&task] { return task.done(); });
    if (task.result().status != CommandStatus::kSuccess) state.SkipWithError("it failed");
  }
}
BENCHMARK(a_command)->Unit(benchmark::kMicrosecond)->UseRealTime();

void the_rules_alone(benchmark::State& state) {
  os::RealPaths paths;
  const CommandPolicy policy = CommandPolicy::make(bench_rules(), paths).value();
  const CommandRequest request{"true 'a b' --option=value", {}, {}, false};
  for ([[maybe_unused]] auto turn : state) benchmark::DoNotOptimize(policy.permit(request));
}
BENCHMARK(the_rules_alone)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace
}  // namespace plumbline::agents::command_line
