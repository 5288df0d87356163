#include "cli/runs/all_orders.h"

#include <string>
#include <utility>

#include "cli/options/expected_trace.h"
#include "cli/options/version.h"
#include "cli/publish.h"
#include "core/os/stop_flag.h"
#include "core/os/wall_clock.h"
#include "scenarios/format/warnings.h"
#include "scenarios/sweep/explore.h"

namespace plumbline::cli {

namespace {

// grouped returns "1,287" of 1287.
std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

std::string told(const scenarios::Explored& explored) {
  if (explored.failure) {
    return "in the order \"schedule\": " + dump_json(Json(explored.failure->schedule)) +
           ", the first of " + grouped(explored.orders) + " that fails";
  }
  if (!explored.complete) return grouped(explored.orders) + " orders pass, of more";
  return "all " + grouped(explored.orders) + " orders pass";
}

CheckResult row_of(const scenarios::Scenario& scenario, const scenarios::Explored& explored,
                   std::uint64_t seed) {
  CheckResult row;
  row.id = scenario.id;
  row.area = scenario.folder;
  row.title = scenario.title;
  if (explored.failure) {
    row.verdict = Verdict::kFail;
    for (const scenarios::RunFailure& failure : explored.failure->failures) {
      row.message += failure.check + ": " + failure.message + '\n';
    }
    row.message += told(explored);
    row.reproduce = scenarios::reproduction(scenario, seed) + " --all-orders";
  } else {
    row.verdict = explored.complete ? Verdict::kPass : Verdict::kInconclusive;
    row.message = told(explored);
  }
  add_trace(scenario, seed, row);
  scenarios::add_doubts(scenario.warnings, false, row);
  scenarios::add_unjudged(scenario, row);
  return row;
}

}  // namespace

int run_all_orders(const std::vector<scenarios::Scenario>& scenarios, std::uint64_t seed,
                   const Common& common, Host& host) {
  const os::StopFlag stop;
  Report report;
  report.version = kVersion;
  report.command = "run";
  report.target = Json::object();
  report.target["scenarios"] = scenarios.size();
  report.seed = seed;
  report.started = os::wall_clock_rfc3339();
  for (const scenarios::Scenario& scenario : scenarios) {
    scenarios::ExploreOptions exploring;
    exploring.seed = seed;
    exploring.stop = [&stop] { return stop.asked(); };
    const scenarios::Explored explored = scenarios::explore_orders(scenario, exploring);
    report.results.push_back(row_of(scenario, explored, exploring.seed));
    if (!common.quiet) host.tell(scenario.id + ": " + told(explored) + '\n');
  }
  const int status = publish(host, common, report);
  return stop.asked() ? kExitInterrupted : status;
}

}  // namespace plumbline::cli
