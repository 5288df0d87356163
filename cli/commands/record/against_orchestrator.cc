#include "cli/commands/record/against_orchestrator.h"

#include <algorithm>
#include <string>
#include <utility>

#include "cli/options/version.h"
#include "cli/publish.h"
#include "cli/runs/all_orders.h"
#include "cli/runs/many_runs.h"
#include "core/base/errors/errors.h"
#include "core/os/wall_clock.h"
#include "fakes/faults/deviations.h"
#include "scenarios/format/format.h"
#include "scenarios/record/as_scenario.h"
#include "scenarios/world/runner.h"

namespace plumbline::cli {

namespace {

// id_of returns what the scenario is called: as its file, which is the recording's but for the end.
std::string id_of(const ReplayOptions& options) {
  const std::string& path = options.scenario_out.empty() ? options.file : options.scenario_out;
  const std::string file = path.substr(path.rfind('/') + 1);
  return file.substr(0, file.find('.', 1));
}

// settled returns `document` with the status that comes of it when nothing is in the way.
Result<Json> settled(Json document, const std::string& file) {
  const Result<scenarios::Scenario> plain = scenarios::read_scenario(document, file);
  if (!plain.ok()) return plain.error();
  scenarios::RunOptions run;
  const scenarios::RunResult result = scenarios::run_scenario(plain.value(), run);
  if (!result.status.empty()) document["expect"]["status"] = result.status;
  return document;
}

// what_is_open says what of the recording cannot be expected of the requests; empty: nothing.
std::string what_is_open(const ReplayOptions& options,
                         const std::vector<scenarios::RecordedSession>& sessions) {
  const std::int64_t calls = scenarios::calls_in(sessions);
  const auto asked = static_cast<std::int64_t>(options.requests.size());
  if (calls <= asked) return "";
  return "expect.effects and " + std::to_string(calls - asked) + " of " + std::to_string(calls) +
         " recorded tool calls are not judged: the orchestrator makes one call a request, expected "
         "--request once for each call, in their order";
}

// name_what_is_open makes a row inconclusive that would pass what it does not judge. Answers that
// nobody asked for are idle rules of the scenario, and no warning here.
void name_what_is_open(const std::string& open, CheckResult& row) {
  if (open.empty()) return;
  if (row.verdict != Verdict::kFail) row.verdict = Verdict::kInconclusive;
  row.message += (row.message.empty() ? "" : "\n") + open;
}

// without_a_call says which requests lead to no call of a tool, each asked alone; empty: each does.
std::string without_a_call(const Json& document, const std::string& file,
                           const ReplayOptions& options) {
  std::string said;
  for (std::size_t i = 0; i < options.requests.size(); ++i) {
    Json alone = document;
    alone["request"] = Json::object({{"input", options.requests[i]}});
    alone["expect"] = Json::object({{"status", "any"}});
    alone["expect"]["requests"]["tools/call"]["at_most"] = 0;
    const Result<scenarios::Scenario> scenario = scenarios::read_scenario(alone, file);
    if (!scenario.ok()) continue;
    scenarios::RunOptions run;
    run.seed = options.seeds.first;
    const scenarios::RunResult result = scenarios::run_scenario(scenario.value(), run);
    const bool calls = std::ranges::any_of(result.failures, [](const scenarios::RunFailure& one) {
      return one.check == "expect.requests";
    });
    if (!calls) {
      said += "\nrequest " + std::to_string(i + 1) +
              ", asked alone, leads to no call of a tool: " + quoted(options.requests[i]);
    }
  }
  return said;
}

CheckResult row_of(const std::string& server, const fakes::DeviationInfo& deviation,
                   const scenarios::RunResult& result) {
  CheckResult row;
  row.id = "replay.mutated:" + server + "/" + std::string(deviation.name);
  row.area = std::string(deviation.area);
  row.title = std::string(deviation.what);
  row.message = "it came to " + (result.status.empty() ? "no end" : result.status);
  if (result.failures.empty()) return row;
  row.verdict = Verdict::kFail;
  for (const scenarios::RunFailure& failure : result.failures) {
    row.message += "\n" + failure.check + ": " + failure.message;
  }
  return row;
}

// mutate runs the scenario once for each deviation of each server; only the invariants are to hold.
int mutate(const Json& document, const std::string& file, const ReplayOptions& options,
           Host& host) {
  Report report;
  report.version = kVersion;
  report.command = "replay --against orchestrator --mutate";
  report.target = Json::object();
  report.target["recording"] = options.file;
  report.seed = options.seeds.first;
  report.started = os::wall_clock_rfc3339();
  for (const auto& [server, unused] : document["servers"].items()) {
    for (const fakes::DeviationInfo& deviation : fakes::all_deviations()) {
      Json one = document;
      one["servers"][server]["deviations"] = Json::array({std::string(deviation.name)});
      one["expect"] = Json::object({{"status", "any"}});
      const Result<scenarios::Scenario> scenario = scenarios::read_scenario(one, file);
      if (!scenario.ok()) return host.complain(scenario.error(), kExitUsage);
      scenarios::RunOptions run;
      run.seed = options.seeds.first;
      report.results.push_back(
          row_of(server, deviation, scenarios::run_scenario(scenario.value(), run)));
    }
  }
  return publish(host, options.common, report);
}

}  // namespace

int replay_against_orchestrator(const ReplayOptions& options,
                                const std::vector<scenarios::RecordedSession>& sessions,
                                Host& host) {
  const std::string id = id_of(options);
  const std::string file = options.scenario_out.empty() ? id + ".json" : options.scenario_out;
  const Result<Json> document =
      settled(scenarios::scenario_of(sessions, id, options.requests), file);
  if (!document.ok()) return host.complain(document.error(), kExitUsage);
  if (!options.scenario_out.empty()) {
    const Status written =
        host.files().write_file(options.scenario_out, pretty_json(document.value()) + "\n");
    if (!written.ok()) return host.complain(written.error(), kExitUsage);
  }
  if (options.mutate) return mutate(document.value(), file, options, host);
  const Result<scenarios::Scenario> scenario = scenarios::read_scenario(document.value(), file);
  if (!scenario.ok()) return host.complain(scenario.error(), kExitUsage);
  const std::vector<scenarios::Scenario> one = {scenario.value()};
  const std::string open = what_is_open(options, sessions);
  if (options.all_orders && !open.empty()) {
    return host.complain(the_error("replay.calls-open"), kExitUsage);
  }
  if (options.all_orders) {
    return run_all_orders(one, options.seeds.first, options.common, host);
  }
  ManyRuns runs = run_many("replay --against orchestrator", one, options.seeds, options.jobs, false,
                           options.common, host);
  for (CheckResult& row : runs.report.results) {
    if (row.verdict == Verdict::kFail) {
      row.message += without_a_call(document.value(), file, options);
    }
    name_what_is_open(open, row);
  }
  const int status = publish(host, options.common, runs.report);
  return runs.interrupted ? kExitInterrupted : status;
}

}  // namespace plumbline::cli
