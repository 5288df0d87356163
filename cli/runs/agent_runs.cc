#include "cli/runs/agent_runs.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "cli/options/version.h"
#include "cli/publish.h"
#include "cli/runs/real_doors.h"
#include "core/base/task_group.h"
#include "core/os/wall_clock.h"

namespace plumbline::cli {

namespace {

using scenarios::Scenario;

// AgentRuns is all scenarios, several at one time.
class AgentRuns {
 public:
  AgentRuns(const std::vector<Scenario>& scenarios, const scenarios::AgentCommand& agent, int jobs,
            const Common& common, Host& host)
      : scenarios_(scenarios),
        agent_(agent),
        jobs_(jobs),
        common_(common),
        host_(host),
        doors_(real_doors(host.world())),
        rows_(scenarios.size()) {}

  // run returns false when the user interrupted it.
  bool run() {
    Task<void> work = work_all();
    work.start();
    return doors_.run_until([&work] { return work.done(); });
  }

  std::vector<CheckResult> results() {
    std::vector<CheckResult> done;
    for (std::optional<CheckResult>& row : rows_) {
      if (row) done.push_back(std::move(*row));
    }
    return done;
  }

 private:
  Task<void> work_all() {
    TaskGroup workers;
    for (int i = 0; i < jobs_; ++i) workers.spawn(work());
    co_await workers.join(doors_.loop);
  }

  Task<void> work() {
    while (next_ < scenarios_.size()) {
      const std::size_t mine = next_++;
      scenarios::CommandRun run(scenarios_[mine], agent_, doors_);
      CheckResult row = co_await run.run();
      if (common_.verbose) {
        host_.tell_line(row.id + ": " + std::string(name_of(row.verdict)) + " " + row.message);
      }
      rows_[mine] = std::move(row);
    }
  }

  const std::vector<Scenario>& scenarios_;
  const scenarios::AgentCommand& agent_;
  int jobs_;
  const Common& common_;
  Host& host_;
  scenarios::RealDoors doors_;
  std::size_t next_ = 0;
  std::vector<std::optional<CheckResult>> rows_;
};

}  // namespace

int run_agent(const std::vector<Scenario>& scenarios, scenarios::AgentCommand agent, int jobs,
              const Common& common, Host& host) {
  const Loop& clock = host.world().loop();
  const Instant start = clock.now();
  host.hide_environment();
  if (common.timeout != Duration{}) agent.patience = common.timeout;
  Report report;
  report.version = kVersion;
  report.command = "run";
  report.target = Json{{"scenarios", scenarios.size()}, {"client", agent.shown}};
  report.started = os::wall_clock_rfc3339();
  AgentRuns runs(scenarios, agent, jobs, common, host);
  const bool whole = runs.run();
  report.results = runs.results();
  report.duration_ms = static_cast<double>((clock.now() - start).count() / 1'000) / 1'000.0;
  const int status = publish(host, common, report);
  return whole ? status : kExitInterrupted;
}

}  // namespace plumbline::cli
