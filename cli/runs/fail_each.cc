#include "cli/runs/fail_each.h"

#include <string>
#include <utility>

#include "cli/options/expected_trace.h"
#include "cli/options/version.h"
#include "cli/publish.h"
#include "core/os/wall_clock.h"
#include "scenarios/format/warnings.h"
#include "scenarios/sweep/fail_each.h"

namespace plumbline::cli {

namespace {

// More than any scenario has; one that never ends is stopped there.
constexpr std::int64_t kOperationsMax = 100'000;

std::string operations(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " operation" : " operations");
}

void add_failures(const scenarios::RunResult& result, CheckResult& row) {
  for (const scenarios::RunFailure& failure : result.failures) {
    row.message += "\n" + failure.check + ": " + failure.message;
  }
}

CheckResult plain_row_of(const scenarios::Scenario& scenario, const scenarios::FailEach& each,
                         std::uint64_t seed) {
  CheckResult row;
  row.id = scenario.id;
  row.area = scenario.folder;
  row.title = "All " + operations(each.operations) + " failed once.";
  if (each.plain_failure) {
    row.title = scenario.title;
    row.verdict = Verdict::kFail;
    row.message = "before any operation failed:";
    add_failures(*each.plain_failure, row);
    row.reproduce = scenarios::reproduction(scenario, seed);
    return row;
  }
  if (!each.complete) {
    row.verdict = Verdict::kInconclusive;
    row.message = "stopped after " + operations(each.operations);
  }
  if (!each.first_failure) return row;
  row.verdict = Verdict::kFail;
  row.message = "operation " + std::to_string(each.first_nth) + " is the first of " +
                std::to_string(each.failed) + " whose failure breaks something:";
  add_failures(*each.first_failure, row);
  row.reproduce = scenarios::reproduction(scenario, seed) + " --fail-each-operation";
  return row;
}

CheckResult row_of(const scenarios::Scenario& scenario, const scenarios::FailEach& each,
                   std::uint64_t seed) {
  CheckResult row = plain_row_of(scenario, each, seed);
  add_trace(scenario, seed, row);
  scenarios::add_doubts(scenario.warnings, false, row);
  scenarios::add_unjudged(scenario, row);
  return row;
}

}  // namespace

int fail_each_operation(const std::vector<scenarios::Scenario>& scenarios, std::uint64_t seed,
                        const Common& common, Host& host) {
  Report report;
  report.version = kVersion;
  report.command = "run";
  report.target = Json::object({{"scenarios", scenarios.size()}});
  report.seed = seed;
  report.started = os::wall_clock_rfc3339();
  for (const scenarios::Scenario& scenario : scenarios) {
    scenarios::RunOptions run;
    run.seed = seed;
    report.results.push_back(
        row_of(scenario, scenarios::fail_each_operation(scenario, run, kOperationsMax), run.seed));
  }
  return publish(host, common, report);
}

void plant(std::vector<scenarios::Scenario>& scenarios, const std::vector<std::string>& defects) {
  for (scenarios::Scenario& scenario : scenarios) {
    for (const std::string& defect : defects) scenarios::plant(defect, scenario.inner);
  }
}

}  // namespace plumbline::cli
