// What `run` and `demo` do: every scenario under every seed of a range, as its file says.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/events/report.h"
#include "scenarios/format/scenario.h"
#include "scenarios/sweep/parallel.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {

// SeedRange holds both its ends.
struct SeedRange {
  std::uint64_t first = 1;
  std::uint64_t last = 1;

  std::uint64_t count() const { return last - first + 1; }
};

struct SeedRunsOptions {
  SeedRange seeds;
  int jobs = 1;  // Threads; at least 1. The outcome does not depend on it.
  Transport transport = Transport::kAny;

  // progress is told how many runs are done, from any thread, one call at a time.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
  // stop, once true, ends everything after the runs that are under way.
  Stop stop;
};

// SeedRuns is what came of one scenario.
struct SeedRuns {
  SeedRange seeds;
  std::uint64_t runs = 0;  // Fewer than seeds.count() when it was stopped.
  std::uint64_t failed = 0;
  std::optional<RunResult> first_failure;  // Of the lowest failing seed.
  Json outcome;                            // Of the run of the first seed: see outcome_of().
  std::vector<bool> rules_used;            // Of Scenario::rules, in any of the runs.
  Duration answered_after_max{};           // The longest virtual time to an answer.
  std::uint64_t fingerprint = 0;           // Of every run's unseed, in any order of the runs.
  double duration_ms = 0;                  // Spent in its runs; 0: the caller has no clock.
};

// run_seeds runs each scenario under each seed and returns one SeedRuns for each, in their order.
std::vector<SeedRuns> run_seeds(std::span<const Scenario> scenarios,
                                const SeedRunsOptions& options);

// to_check_result returns the row of a report. What the file hardly means, such as a rule that did
// nothing under any seed, is told in it, and a warning where nothing failed; with `strict` a
// failure.
CheckResult to_check_result(const Scenario& scenario, const SeedRuns& runs, bool strict = false);

}  // namespace plumbline::scenarios
