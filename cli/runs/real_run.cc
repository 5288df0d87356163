#include "cli/runs/real_run.h"

#include <optional>
#include <string>
#include <utility>

#include "cli/options/version.h"
#include "cli/publish.h"
#include "cli/runs/real_doors.h"
#include "core/os/wall_clock.h"
#include "scenarios/real/real_run.h"

namespace plumbline::cli {

int run_for_real(const std::vector<scenarios::Scenario>& scenarios, mcp::Transport over,
                 const Common& common, Host& host) {
  const Loop& clock = host.world().loop();
  const Instant start = clock.now();
  host.hide_environment();
  Report report;
  report.version = kVersion;
  report.command = "run";
  report.target = Json{{"scenarios", scenarios.size()}, {"real", true}};
  report.started = os::wall_clock_rfc3339();
  const scenarios::RealDoors doors = real_doors(host.world());
  for (const scenarios::Scenario& scenario : scenarios) {
    std::optional<CheckResult> row = scenarios::run_for_real(scenario, over, doors);
    if (!row) {
      publish(host, common, report);
      return kExitInterrupted;
    }
    if (common.verbose) host.tell_line(scenario.id + ": " + std::string(name_of(row->verdict)));
    report.results.push_back(std::move(*row));
  }
  report.duration_ms = static_cast<double>((clock.now() - start).count() / 1'000) / 1'000.0;
  return publish(host, common, report);
}

}  // namespace plumbline::cli
