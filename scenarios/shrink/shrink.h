// shrink_failure makes the world of one failure as small as it gets and says what in it matters.
//
// Workload, faults and schedule are one document, and every part of it that can go or be less is a
// choice of one sequence. The sequence is shrunk while the same check fails: another failure that
// turns up on the way is not followed. What is left is a scenario file that fails by itself.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/doors/workers.h"
#include "core/json/json.h"
#include "scenarios/format/scenario.h"
#include "scenarios/shrink/shrink_faults.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {

struct ShrinkOptions {
  Transport transport = Transport::kAny;  // Where scenario and weather do not decide.
  std::int64_t runs_max = 10'000;
  std::function<bool()> stop;  // Asked before each run; true ends the search. May be empty.
  // Who runs the worlds. Only workers that may die can shrink a failure of kNoAbort.
  Hire hire = callers_workers;
};

struct Shrunk {
  bool failed = false;  // Under the seed something fails; otherwise the rest is empty.
  RunFailure failure;   // As it was found. `check` is what was held.
  // The small scenario, with the id of the large one; null when no file says what the world was.
  Json document;
  std::uint64_t run_seed = 1;  // Under which the document fails.
  std::string message;         // With which it fails.
  std::vector<FaultFound> faults;
  std::vector<std::string> not_needed;  // Those that were there and are gone.
  std::int64_t runs = 0;
  bool complete = false;  // Nothing smaller was left to try.
};

// shrink_failure takes the world that a sweep gives to `scenario` under `seed`; when that passes,
// the one in which the file itself runs under `seed`.
Shrunk shrink_failure(const Scenario& scenario, std::uint64_t seed,
                      const ShrinkOptions& options = {});

// write_shrunk returns the text of the file `id`.json: what it shows, as comments, and the small
// scenario. `shrunk` must be of a failure.
std::string write_shrunk(const Scenario& scenario, std::uint64_t seed, const Shrunk& shrunk,
                         std::string_view id);

// explain_shrunk returns the same for people: what fails, by which faults, what did not matter.
// One line each, without a newline at the end of the last.
std::vector<std::string> explain_shrunk(const Shrunk& shrunk);

}  // namespace plumbline::scenarios
