// Many worlds at once: scenarios times seeds, over threads that share nothing but the scenarios.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/events/report.h"
#include "scenarios/runner.h"
#include "scenarios/scenario.h"

namespace plumbline::scenarios {

// SeedRange holds both its ends.
struct SeedRange {
  std::uint64_t first = 1;
  std::uint64_t last = 1;

  std::uint64_t count() const { return last - first + 1; }
};

struct SweepOptions {
  SeedRange seeds;
  int jobs = 1;  // Threads; at least 1. The outcome does not depend on it.
  Transport transport = Transport::kAny;
  bool until_failure = false;  // Stop at the first failing run: later ones may then be missing.

  // progress is told how many runs are done, from any thread, one call at a time.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
  // stop, once true, ends the sweep after the runs that are under way. May be null.
  const std::atomic<bool>* stop = nullptr;
};

// Sweep is what came of one scenario.
struct Sweep {
  SeedRange seeds;
  std::uint64_t runs = 0;  // Fewer than seeds.count() when it was stopped.
  std::uint64_t failed = 0;
  std::optional<RunResult> first_failure;  // Of the lowest failing seed.
  Duration answered_after_max{};           // The longest virtual time to an answer.
  std::uint64_t fingerprint = 0;           // Of every run's unseed, in any order of the runs.
  double duration_ms = 0;                  // Spent in its runs; 0: the caller has no clock.
};

// run_seeds runs each scenario under each seed and returns one Sweep for each, in their order,
// equal whatever the number of jobs.
std::vector<Sweep> run_seeds(std::span<const Scenario> scenarios, const SweepOptions& options);

// to_check_result returns the row of a report.
CheckResult to_check_result(const Scenario& scenario, const Sweep& sweep);

}  // namespace plumbline::scenarios
