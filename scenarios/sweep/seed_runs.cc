#include "scenarios/sweep/seed_runs.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "scenarios/format/warnings.h"

namespace plumbline::scenarios {

namespace {

// A piece of work is this many seeds of one scenario: few enough to share out evenly, enough that
// taking a lock costs nothing.
constexpr std::uint64_t kSeedsAtOnce = 16;

struct Found {
  std::size_t scenario = 0;
  SeedRuns runs;
};

void add(SeedRuns& into, SeedRuns found) {
  into.rules_used.resize(std::max(into.rules_used.size(), found.rules_used.size()));
  for (std::size_t i = 0; i < found.rules_used.size(); ++i) {
    into.rules_used[i] = into.rules_used[i] || found.rules_used[i];
  }
  into.runs += found.runs;
  into.failed += found.failed;
  into.fingerprint += found.fingerprint;
  into.answered_after_max = std::max(into.answered_after_max, found.answered_after_max);
  if (into.outcome.is_null()) into.outcome = std::move(found.outcome);
  if (!into.first_failure) into.first_failure = std::move(found.first_failure);
}

SeedRuns run_one(const Scenario& scenario, std::uint64_t seed, Transport transport) {
  RunOptions run;
  run.seed = seed;
  run.transport = transport;
  run.want.outcome = true;
  RunResult result = run_scenario(scenario, run);
  SeedRuns one;
  one.runs = 1;
  one.fingerprint = result.unseed;
  one.answered_after_max = result.answered_after;
  result.outcome["seed"] = seed;
  one.rules_used = std::move(result.rules_used);
  one.outcome = result.outcome;
  if (result.verdict == Verdict::kFail) {
    one.failed = 1;
    one.first_failure = std::move(result);
  }
  return one;
}

// reproduction returns the command that runs all of `seeds` again.
std::string reproduction(const Scenario& scenario, SeedRange seeds) {
  if (seeds.count() == 1) return scenarios::reproduction(scenario, seeds.first);
  return "plumbline run " + scenario.file + " --seeds " + std::to_string(seeds.first) + ".." +
         std::to_string(seeds.last);
}

std::string message_of(const SeedRuns& runs) {
  std::string out;
  const RunResult& first = *runs.first_failure;
  for (const RunFailure& failure : first.failures) {
    out += (out.empty() ? "" : "\n") + failure.check + ": " + failure.message;
  }
  if (runs.seeds.count() == 1) return out;
  return "seed " + std::to_string(first.seed) + " is the first of " + std::to_string(runs.failed) +
         " that fail among " + std::to_string(runs.runs) + ":\n" + out;
}

}  // namespace

std::vector<SeedRuns> run_seeds(std::span<const Scenario> scenarios,
                                const SeedRunsOptions& options) {
  check(options.seeds.first <= options.seeds.last, "a range of seeds has at least one");
  const std::uint64_t pieces_each = (options.seeds.count() + kSeedsAtOnce - 1) / kSeedsAtOnce;
  std::vector<SeedRuns> all(scenarios.size());
  for (SeedRuns& runs : all) runs.seeds = options.seeds;
  std::uint64_t done = 0;

  const auto run = [&](const Pieces<Found>& pieces, std::uint64_t piece) {
    Found found;
    found.scenario = piece / pieces_each;
    const std::uint64_t offset = piece % pieces_each * kSeedsAtOnce;
    const std::uint64_t count = std::min(kSeedsAtOnce, options.seeds.count() - offset);
    for (std::uint64_t i = 0; i < count && !pieces.over(); ++i) {
      const std::uint64_t seed = options.seeds.first + offset + i;
      add(found.runs, run_one(scenarios[found.scenario], seed, options.transport));
    }
    return found;
  };
  const auto take = [&](Found found) {
    done += found.runs.runs;
    add(all[found.scenario], std::move(found.runs));
    if (options.progress) options.progress(done, options.seeds.count() * scenarios.size());
    return true;
  };
  Pieces<Found>(run, take, options.stop).work(options.jobs, pieces_each * scenarios.size());
  return all;
}

CheckResult to_check_result(const Scenario& scenario, const SeedRuns& runs, bool strict) {
  CheckResult row;
  row.id = scenario.id;
  row.area = scenario.folder;
  row.title = scenario.title;
  row.duration_ms = runs.duration_ms;
  row.outcome = runs.first_failure ? runs.first_failure->outcome : runs.outcome;
  if (runs.first_failure) {
    row.verdict = Verdict::kFail;
    row.message = message_of(runs);
    row.reproduce = reproduction(scenario, runs.first_failure->seed);
  } else if (runs.runs < runs.seeds.count()) {
    row.verdict = Verdict::kInconclusive;
    row.message = "stopped after " + std::to_string(runs.runs) + " of " +
                  std::to_string(runs.seeds.count()) + " seeds";
    return row;
  }
  std::vector<std::string> doubts = scenario.warnings;
  std::ranges::move(idle_rules(scenario, runs.rules_used), std::back_inserter(doubts));
  add_doubts(doubts, strict, row);
  if (row.verdict == Verdict::kFail && !runs.first_failure) {
    row.reproduce = reproduction(scenario, runs.seeds) + " --strict";
  }
  add_unjudged(scenario, row);
  return row;
}

}  // namespace plumbline::scenarios
