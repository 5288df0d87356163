#include "scenarios/sweep/fail_each.h"

#include <utility>

namespace plumbline::scenarios {

FailEach fail_each_operation(const Scenario& scenario, const RunOptions& options,
                             std::int64_t operations_max) {
  FailEach out;
  Weather weather = options.weather == nullptr ? weather_of(scenario) : *options.weather;
  RunOptions run = options;
  run.weather = &weather;
  RunResult plain = run_scenario(scenario, run);
  if (plain.verdict != Verdict::kPass) {
    out.plain_failure = std::move(plain);
    return out;
  }
  for (std::int64_t nth = 1; nth <= operations_max; ++nth) {
    weather.inner.fail_operation = nth;
    RunResult result = run_scenario(scenario, run);
    if (result.operations < nth) {
      out.complete = true;
      break;
    }
    ++out.operations;
    if (result.verdict == Verdict::kPass) continue;
    if (++out.failed > 1) continue;
    out.first_nth = nth;
    out.first_failure = std::move(result);
  }
  return out;
}

}  // namespace plumbline::scenarios
