// The simulation alone, for a page that plays scenarios (docs/playground.md). The page gives one
// task when it is asked, and is told what came of it. Nothing here knows a file, a process or a
// socket.

#include <cstdint>
#include <string>
#include <utility>

#include "core/json/json.h"
#include "core/os/node/host.h"
#include "scenarios/format/format.h"
#include "scenarios/shrink/shrink.h"
#include "scenarios/sweep/swarm.h"
#include "scenarios/world/runner.h"

namespace plumbline::playground {
namespace {

namespace host = os::host;
using scenarios::Profile;
using scenarios::Scenario;

constexpr std::uint64_t kToldTogether = 20;  // Worlds of a sweep.

// Task is what the page wants.
struct Task {
  std::string kind;      // "check", "run", "sweep" or "shrink".
  std::string scenario;  // The text of its file.
  std::string file;      // Its name.
  std::uint64_t seed = 1;
  std::uint64_t last = 1;  // Of a sweep.
  Profile profile = Profile::kNone;
};

std::string text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::uint64_t number_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 1;
}

Task asked_task() {
  const host::Answer answer = host::ask(host::request("task"));
  const Result<Json> read = parse_json(answer.ok() ? answer.value() : "{}");
  Task task;
  if (!read.ok()) return task;
  const Json& object = read.value();
  task.kind = text_of(object, "kind");
  task.scenario = text_of(object, "scenario");
  task.file = text_of(object, "file");
  task.seed = number_of(object, "seed");
  task.last = number_of(object, "last");
  if (text_of(object, "weather") == "drawn") task.profile = Profile::kDefault;
  return task;
}

Json failures_of(const scenarios::RunResult& result) {
  Json all = Json::array();
  for (const scenarios::RunFailure& failure : result.failures) {
    Json one = Json::object();
    one["check"] = failure.check;
    one["message"] = failure.message;
    all.push_back(std::move(one));
  }
  return all;
}

void run(const Task& task, const Scenario& scenario) {
  scenarios::Want want;
  want.trace = want.outcome = want.trace_hash = true;
  const scenarios::RunResult result =
      scenarios::run_world(scenario, task.seed, task.profile, want).result;
  Json told = host::request("ran");
  told["pass"] = result.verdict == Verdict::kPass;
  told["status"] = result.status;
  told["failures"] = failures_of(result);
  told["outcome"] = result.outcome;
  told["hash"] = result.trace_hash;
  told["trace"] = result.trace;
  told["again"] = scenarios::world_reproduction(scenario, task.seed, task.profile);
  host::tell(told);
}

// sweep tells of each world what came of it: its status where it passed, else what failed first.
void sweep(const Task& task, const Scenario& scenario) {
  Json told = host::request("worlds");
  told["worlds"] = Json::array();
  for (std::uint64_t seed = task.seed; seed <= task.last; ++seed) {
    const scenarios::RunResult result =
        scenarios::run_world(scenario, seed, task.profile, {}).result;
    Json world = Json::object();
    world["seed"] = seed;
    world["pass"] = result.verdict == Verdict::kPass;
    world["came"] = result.failures.empty() ? result.status : result.failures.front().check;
    told["worlds"].push_back(std::move(world));
    if (seed != task.last && told["worlds"].size() < kToldTogether) continue;
    host::tell(told);
    told["worlds"] = Json::array();
  }
}

void shrink(const Task& task, const Scenario& scenario) {
  const scenarios::Shrunk shrunk = scenarios::shrink_failure(scenario, task.seed);
  Json told = host::request("shrunk");
  told["failed"] = shrunk.failed;
  told["seed"] = shrunk.run_seed;
  told["runs"] = shrunk.runs;
  told["lines"] = Json::array();
  if (shrunk.failed) {
    for (const std::string& line : scenarios::explain_shrunk(shrunk)) told["lines"].push_back(line);
  }
  if (shrunk.failed && !shrunk.document.is_null()) {
    told["scenario"] = scenarios::write_shrunk(scenario, task.seed, shrunk, scenario.id);
  }
  host::tell(told);
}

int play() {
  const Task task = asked_task();
  const Result<Scenario> scenario = scenarios::load_scenario(task.scenario, task.file);
  Json told = host::request("read");
  told["wrong"] = scenario.ok() ? "" : scenario.error().message;
  told["warnings"] = Json::array();
  if (scenario.ok()) {
    for (const std::string& line : scenario.value().warnings) told["warnings"].push_back(line);
  }
  host::tell(told);
  if (!scenario.ok()) return 1;
  if (task.kind == "run") run(task, scenario.value());
  if (task.kind == "sweep") sweep(task, scenario.value());
  if (task.kind == "shrink") shrink(task, scenario.value());
  return 0;
}

}  // namespace
}  // namespace plumbline::playground

int main() { return plumbline::playground::play(); }
