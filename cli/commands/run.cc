#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/publish.h"
#include "cli/runs/all_orders.h"
#include "cli/runs/fail_each.h"
#include "cli/runs/load.h"
#include "cli/runs/many_runs.h"
#include "cli/runs/real_run.h"
#include "scenarios/world/runner.h"

namespace plumbline::cli {

namespace {

// write_trace runs the one scenario and seed once more, with its trace kept.
Status write_trace(const RunOptions& options, const scenarios::Scenario& scenario, Host& host) {
  scenarios::RunOptions run;
  run.seed = options.seeds.first;
  run.want.trace = true;
  return host.files().write_file(options.trace, scenarios::run_scenario(scenario, run).trace);
}

// complain_of tells what is plainly wrong in the files, a line each. Returns whether anything is.
bool complain_of(const std::vector<scenarios::Scenario>& scenarios, Host& host) {
  bool any = false;
  for (const scenarios::Scenario& scenario : scenarios) {
    for (const std::string& warning : scenario.warnings) host.complain(warning, kExitUsage);
    any = any || !scenario.warnings.empty();
  }
  return any;
}

}  // namespace

int run_scenarios(const RunOptions& options, Host& host) {
  Result<std::vector<scenarios::Scenario>> loaded = load_scenarios(options.paths, host.files());
  if (!loaded.ok()) return host.complain(loaded.error().message, kExitUsage);
  plant(loaded.value(), options.plants);
  const std::vector<scenarios::Scenario>& scenarios = loaded.value();
  if (options.strict && complain_of(scenarios, host)) return kExitUsage;
  if (options.fail_each_operation) return fail_each_operation(scenarios, options, host);
  if (options.all_orders) return run_all_orders(scenarios, options, host);
  if (options.real) return run_for_real(scenarios, options.common, host);
  if (!options.trace.empty()) {
    if (scenarios.size() != 1 || options.seeds.first != options.seeds.last) {
      return host.complain("--trace: expected one scenario and one seed", kExitUsage);
    }
    const Status written = write_trace(options, scenarios.front(), host);
    if (!written.ok()) return host.complain(written.error().message, kExitUsage);
  }
  const ManyRuns outcome =
      run_many("run", scenarios, options.seeds, options.jobs, options.strict, options.common, host);
  const int status = publish(host, options.common, outcome.report);
  return outcome.interrupted ? kExitInterrupted : status;
}

}  // namespace plumbline::cli
