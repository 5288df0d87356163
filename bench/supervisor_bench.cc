// What one request to the supervisor costs: a failing test is debugged in three steps of a model,
// with the output of a command and the text of a file, and an expert ends it; the model and the
// command answer at once. Then the same in a world of its own, as a sweep runs them.
// bench/peers/langgraph/supervisor.mjs is the same request.

#include <algorithm>
#include <string>
#include <utility>

#include <benchmark/benchmark.h>

#include "core/agents/supervisor/supervisor_fixture.h"
#include "core/base/check.h"
#include "scenarios/format/format.h"
#include "scenarios/world/runner.h"

namespace plumbline {
namespace {

using agents::supervisor::SupervisorWorld;

constexpr const char* kPrompt = "Debug the failing test and show me the error logs";

constexpr const char* kDebugSteps = R"({"turns": [
  {"when": "Make step 1 of this", "always": true,
   "text": "{\"step\": \"the test fails\", \"next_step_required\": true,
             \"commands\": [\"pytest tests/test_foo.py -v\"]}"},
  {"when": "Make step 2 of this", "always": true,
   "text": "{\"step\": \"foo is wrong\", \"next_step_required\": true,
             \"files\": [\"/srv/project/foo.py\"],
             \"findings\": [{\"text\": \"foo returns 2\", \"file\": \"foo.py\", \"line\": 1}]}"},
  {"when": "Make step 3 of this", "always": true,
   "text": "{\"step\": \"read foo\", \"confidence\": \"high\", \"next_step_required\": false}"},
  {"when": "Judge what was found", "always": true, "text": "foo must return 1."}]})";

void BM_SupervisorRun(benchmark::State& state) {
  SupervisorWorld world;
  world.shelf.add("m", kDebugSteps);
  world.file("/srv/project/foo.py", "def foo(): return 2");
  for (auto unused : state) {
    const Json arguments = {{"prompt", kPrompt}};
    check(world.call("debug", arguments).state().answer.response_content == "foo must return 1.",
          "a whole request");
    world.shelf.prompts.clear();
    world.shelf.asked.clear();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_SupervisorRun);

void BM_SupervisorWorld(benchmark::State& state) {
  std::string steps = kDebugSteps;
  std::ranges::replace(steps, '\n', ' ');
  const std::string file = R"({
    "plumbline": 1, "id": "debug", "title": "A request.", "agent": "supervisor",
    "request": {"tool": "debug", "arguments": {"prompt": ")" +
                           std::string(kPrompt) + R"("}},
    "model": )" + steps + R"(,
    "shell": {
      "local": {"programs": ["pytest"], "runs_anything": ["pytest"], "approval": false},
      "commands": {"pytest": {"out": "1 failed: test_foo\n", "exit": 1}},
      "files": {"/srv/project/foo.py": "def foo(): return 2"}},
    "world": {"transport": "values"},
    "expect": {"status": "ok", "commands_run": 1}})";
  const Result<scenarios::Scenario> loaded = scenarios::load_scenario(file, "debug.json");
  check(loaded.ok(), loaded.ok() ? "" : loaded.error().message.c_str());
  std::uint64_t seed = 0;
  for (auto unused : state) {
    scenarios::RunOptions options;
    options.seed = ++seed;
    check(scenarios::run_scenario(loaded.value(), options).failures.empty(), "a good world");
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_SupervisorWorld);

}  // namespace
}  // namespace plumbline

BENCHMARK_MAIN();
