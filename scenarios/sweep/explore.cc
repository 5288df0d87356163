#include "scenarios/sweep/explore.h"

#include <utility>

#include "scenarios/sweep/order_search.h"

namespace plumbline::scenarios {

namespace {

// at_once returns the scenario's world with messages that take no time.
WorldSpec at_once(const WorldSpec& world) {
  WorldSpec at_once;
  at_once.transport = world.transport;
  at_once.connect_timeout = world.connect_timeout;
  at_once.request_timeout = world.request_timeout;
  at_once.revision = world.revision;
  return at_once;
}

}  // namespace

Explored explore_orders(const Scenario& scenario, const ExploreOptions& options) {
  Scenario small = scenario;
  small.world = at_once(scenario.world);
  OrderSearch search(options.reduces);
  RunOptions run;
  run.seed = options.seed;
  run.transport = options.transport;
  run.chooser = &search;
  run.want.schedule = true;
  Explored explored;
  for (bool more = true; more; more = search.next()) {
    if (explored.worlds == options.worlds_max || (options.stop && options.stop())) return explored;
    ++explored.worlds;
    RunResult result = run_scenario(small, run);
    if (search.was_cut()) continue;
    ++explored.orders;
    if (options.see) options.see(result);
    if (result.failures.empty()) continue;
    while (!result.schedule.empty() && result.schedule.back() == 0) result.schedule.pop_back();
    explored.failure = std::move(result);
    return explored;
  }
  explored.complete = true;
  return explored;
}

}  // namespace plumbline::scenarios
