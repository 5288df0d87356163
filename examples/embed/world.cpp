// A scenario, run under 200 seeds from C++: which of them fail, and how to see one again.

#include <cstdint>
#include <cstdio>

#include "scenarios/format/format.h"
#include "scenarios/world/runner.h"

namespace {

constexpr const char* kScenario = R"({
  "plumbline": 1, "id": "listing", "title": "The files are listed.",
  "request": {"input": "List the files"},
  "servers": {"files": {"tools": [{"name": "list_files", "description": "List the files"}]}},
  "expect": {"status": "ok"}
})";

}  // namespace

int main() {
  using namespace plumbline;
  const Result<scenarios::Scenario> scenario = scenarios::load_scenario(kScenario, "listing.json");
  if (!scenario.ok()) {
    std::fprintf(stderr, "%s\n", scenario.error().message.c_str());
    return 2;
  }
  int failed = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    scenarios::RunOptions options;
    options.seed = seed;
    const scenarios::RunResult result = scenarios::run_scenario(scenario.value(), options);
    if (result.verdict == Verdict::kPass) continue;
    ++failed;
    std::printf("%s\n", scenarios::reproduction(scenario.value(), seed).c_str());
  }
  std::printf("%d of 200 worlds fail\n", failed);
  return failed == 0 ? 0 : 1;
}
