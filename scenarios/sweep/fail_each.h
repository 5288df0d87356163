// Fail the n-th operation, for every n: run 1 fails the first, run 2 the second, until a run ends
// without having reached the one that was to fail. What a scenario expects is judged before that,
// where none fails; for a failure changes it, the invariants alone are judged after it.

#pragma once

#include <cstdint>
#include <optional>

#include "scenarios/world/runner.h"

namespace plumbline::scenarios {

struct FailEach {
  std::int64_t operations = 0;  // That failed, once each.
  std::int64_t failed = 0;      // Runs in which that broke something.
  bool complete = false;        // Every operation had its turn.
  std::int64_t first_nth = 0;   // Of the first run that failed.
  std::optional<RunResult> first_failure;
  std::optional<RunResult> plain_failure;  // Where no operation fails. Then none was made to.
};

// fail_each_operation makes at most `operations_max` of them fail. `options.weather` may be null.
FailEach fail_each_operation(const Scenario& scenario, const RunOptions& options,
                             std::int64_t operations_max);

}  // namespace plumbline::scenarios
