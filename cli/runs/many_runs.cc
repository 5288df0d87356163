#include "cli/runs/many_runs.h"

#include <utility>

#include "cli/options/expected_trace.h"
#include "cli/options/version.h"
#include "cli/runs/progress.h"
#include "core/os/stop_flag.h"
#include "core/os/wall_clock.h"

namespace plumbline::cli {

namespace {

Json target_of(const std::vector<scenarios::Scenario>& scenarios, SeedRange seeds) {
  Json target = Json::object();
  target["scenarios"] = scenarios.size();
  target["seeds"] = std::to_string(seeds.first) + ".." + std::to_string(seeds.last);
  return target;
}

double milliseconds_with_fraction(Duration span) {
  return static_cast<double>(span.count() / 1'000) / 1'000.0;
}

}  // namespace

ManyRuns run_many(const std::string& command, const std::vector<scenarios::Scenario>& scenarios,
                  SeedRange seeds, int jobs, bool strict, const Common& common, Host& host) {
  const Loop& clock = host.world().loop();
  const Instant begin = clock.now();
  const os::StopFlag stop;
  ManyRuns outcome;
  outcome.report.version = kVersion;
  outcome.report.command = command;
  outcome.report.target = target_of(scenarios, seeds);
  outcome.report.seed = seeds.first;
  outcome.report.started = os::wall_clock_rfc3339();

  Progress progress(host, clock, host.wants_progress(common));
  scenarios::SeedRunsOptions options;
  options.seeds = scenarios::SeedRange{seeds.first, seeds.last};
  options.jobs = jobs;
  options.stop = [&stop] { return stop.asked(); };
  const std::uint64_t total = scenarios.size() * options.seeds.count();
  std::uint64_t finished = 0;
  options.progress = [&](std::uint64_t done, std::uint64_t) {
    progress.show(finished + done, total);
  };
  for (const scenarios::Scenario& scenario : scenarios) {
    const Instant start = clock.now();
    scenarios::SeedRuns one = scenarios::run_seeds({&scenario, 1}, options).front();
    finished += one.runs;
    if (one.runs == 0) continue;
    one.duration_ms = milliseconds_with_fraction(clock.now() - start);
    outcome.report.results.push_back(scenarios::to_check_result(scenario, one, strict));
    add_trace(scenario, one.first_failure ? one.first_failure->seed : seeds.first,
              outcome.report.results.back());
  }
  outcome.report.duration_ms = milliseconds_with_fraction(clock.now() - begin);
  outcome.interrupted = stop.asked();
  return outcome;
}

}  // namespace plumbline::cli
