// What `sweep` does: each seed is one world, of one scenario, under weather drawn for it. Scenario
// and weather follow from the seed alone, so a world found in a sweep of a folder can be seen again
// in one of its file.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/doors/workers.h"
#include "core/events/sweep_totals.h"
#include "scenarios/format/scenario.h"
#include "scenarios/sweep/parallel.h"
#include "scenarios/sweep/same_seed.h"
#include "scenarios/sweep/seed_runs.h"

namespace plumbline::scenarios {

// Shard is every `of`-th seed of a range, from the `index`-th on.
struct Shard {
  std::uint64_t index = 1;
  std::uint64_t of = 1;
};

// Profile says which weather is drawn.
enum class Profile {
  kDefault,  // As draw_weather does.
  kNone,     // As the file says.
};

std::string_view name_of(Profile profile);

// run_world runs world `seed` of `scenario`.
WorldRun run_world(const Scenario& scenario, std::uint64_t seed, Profile profile, const Want& want);

struct SwarmOptions {
  SeedRange seeds;
  Shard shard;
  Profile profile = Profile::kDefault;
  int jobs = 1;                    // Workers; at least 1. The outcome does not depend on it.
  bool check_determinism = false;  // Run every world twice.
  bool until_failure = false;      // Count no world after the first that fails.
  bool hash_first = false;         // Hash the trace of the first world, too.
  std::string version;             // Of the program, for lines that repeat a failure.

  // hire makes who runs the worlds. A world that its worker dies of fails kNoAbort.
  Hire hire = callers_workers;
  // lost is told what such a worker wrote to standard error. May be empty.
  std::function<void(std::string_view errors)> lost;
  // progress is told how many worlds are done.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
  // stop, once true, ends the sweep after the worlds that are done.
  Stop stop;
  // run is run_world but in tests. In a worker.
  std::function<WorldRun(const Scenario&, std::uint64_t seed, Profile, const Want&)> run =
      run_world;
};

// Failure is a world that is worth a closer look.
struct Failure {
  std::size_t scenario = 0;  // Its number.
  std::uint64_t seed = 0;
  std::vector<RunFailure> failures;
};

struct Swarm {
  SweepTotals totals;
  std::vector<Failure> failures;  // The first of each scenario and check, at most kFailuresKept.
  bool unsafe = false;            // Whether anything failed but that something never ended.
  std::string first_trace;        // The first digits of its hash; empty unless it was wanted.
};

inline constexpr std::size_t kFailuresKept = 3;

// sort_by_id puts scenarios into the order in which seeds are dealt to them.
void sort_by_id(std::vector<Scenario>& scenarios);

// run_swarm sweeps. `scenarios` are sorted, and there is at least one.
Swarm run_swarm(std::span<const Scenario> scenarios, const SwarmOptions& options);

// world_reproduction returns the command that runs world `seed` of `scenario` again.
std::string world_reproduction(const Scenario& scenario, std::uint64_t seed, Profile profile);

}  // namespace plumbline::scenarios
