#include "scenarios/sweep/swarm.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "core/base/check.h"
#include "core/base/rng.h"
#include "scenarios/format/fault_verbs.h"
#include "scenarios/sweep/apart.h"
#include "scenarios/sweep/expected_trace.h"
#include "scenarios/sweep/packed.h"

namespace plumbline::scenarios {

namespace {

// So many scenarios stand for the library.
constexpr std::size_t kLibraryFrom = 50;

// Outcome is what one world adds to the totals.
struct Outcome {
  std::size_t scenario = 0;
  std::uint64_t seed = 0;
  std::uint64_t fingerprint = 0;
  std::uint64_t trace = 0;                      // The first 64 bits of its hash.
  std::array<FaultCount, kVerbCount> faults{};  // By Fault::Verb.
  SituationSet situations;
  std::vector<std::string> sometimes;  // Of the scenario's own.
  std::vector<RunFailure> failures;
  std::string difference;  // Between its two runs.
};

std::string pack(const Outcome& outcome) {
  Packer packer;
  packer.number(outcome.fingerprint).number(outcome.trace);
  for (const FaultCount& count : outcome.faults) {
    packer.number(count.worlds).number(count.struck).number(count.met);
  }
  packer.number(outcome.situations.to_ullong()).texts(outcome.sometimes);
  return packer.failures(outcome.failures).text(outcome.difference).take();
}

Outcome unpack(std::string_view text) {
  Unpacker packed(text);
  Outcome outcome;
  outcome.fingerprint = packed.number();
  outcome.trace = packed.number();
  for (FaultCount& count : outcome.faults) {
    count.worlds = packed.number();
    count.struck = packed.number();
    count.met = packed.number();
  }
  outcome.situations = SituationSet(packed.number());
  outcome.sometimes = packed.texts();
  outcome.failures = packed.failures();
  outcome.difference = packed.text();
  return outcome;
}

// fingerprint_of tells worlds apart that took other ways or came to other ends.
std::uint64_t fingerprint_of(const Scenario& scenario, const RunResult& result) {
  std::string end = result.status + "/" + std::to_string(result.effects);
  for (const RunFailure& failure : result.failures) end += "/" + failure.check;
  return Rng(result.unseed).fork(scenario.id).fork(end).next();
}

std::uint64_t first_bits(std::string_view hash) {
  std::uint64_t bits = 0;
  hash = hash.substr(0, 16);
  std::from_chars(hash.data(), hash.data() + hash.size(), bits, 16);
  return bits;
}

// digits_of returns the first digits of a hash; none where there is no trace.
std::string digits_of(std::uint64_t bits) {
  if (bits == 0) return "";
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[bits >> shift & 15U];
  return digits;
}

std::string message_of(const std::vector<RunFailure>& failures) {
  std::string out;
  for (const RunFailure& failure : failures) {
    out += (out.empty() ? "" : "\n") + failure.check + ": " + failure.message;
  }
  return out;
}

std::array<FaultCount, kVerbCount> faults_of(const WorldRun& run) {
  std::array<FaultCount, kVerbCount> counts{};
  for (const Fault& fault : run.weather.faults) {
    counts[static_cast<std::size_t>(fault.verb)].worlds = 1;
  }
  for (std::size_t i = 0; i < kVerbCount; ++i) {
    counts[i].struck = static_cast<std::uint64_t>(run.result.faults[i].struck);
    counts[i].met = static_cast<std::uint64_t>(run.result.faults[i].met);
  }
  return counts;
}

// own returns the name of what is wanted of the worlds of one scenario.
std::string own(const Scenario& scenario, std::string_view name) {
  return scenario.id + "/" + std::string(name);
}

// wanted_situations returns what a sweep has to meet, each with 0: what the files say, and every
// situation there is where the scenarios are so many that they stand for the library.
std::map<std::string, std::uint64_t> wanted_situations(std::span<const Scenario> scenarios) {
  std::map<std::string, std::uint64_t> wanted;
  for (std::size_t i = 0; i < kSituations; ++i) {
    const std::string name(all_situations()[i].name);
    if (scenarios.size() >= kLibraryFrom) wanted.emplace(name, 0);
    for (const Scenario& scenario : scenarios) {
      if (scenario.sometimes[i]) wanted.emplace(own(scenario, name), 0);
    }
  }
  for (const Scenario& scenario : scenarios) {
    for (const Property& property : scenario.properties) {
      if (property.kind == Property::Kind::kSometimes)
        wanted.emplace(own(scenario, property.name), 0);
    }
  }
  return wanted;
}

class Sweeping {
 public:
  Sweeping(std::span<const Scenario> scenarios, const SwarmOptions& options)
      : scenarios_(scenarios), options_(options) {
    SweepTotals& totals = swarm_.totals;
    totals.first = options.seeds.first;
    totals.last = options.seeds.last;
    totals.shard = options.shard.index;
    totals.shards = options.shard.of;
    totals.profile = name_of(options.profile);
    if (options.check_determinism) totals.determinism.emplace();
    for (const Scenario& scenario : scenarios) {
      totals.scenarios.push_back({scenario.id, scenario.folder, scenario.title, 0, 0, {}});
    }
    if (options.profile == Profile::kDefault) totals.situations = wanted_situations(scenarios);
    worlds_ = worlds_meant(totals);
  }

  Swarm run() {
    ItemsApart worlds;
    worlds.count = worlds_;
    worlds.jobs = options_.jobs;
    worlds.hire = options_.hire;
    worlds.stop = options_.stop;
    worlds.run = [this](std::uint64_t world) { return pack(run_one(seed_of(world))); };
    worlds.take = [this](std::uint64_t world, const std::variant<std::string, Lost>& found) {
      const auto* const lost = std::get_if<Lost>(&found);
      Outcome outcome = lost ? outcome_of(*lost) : unpack(std::get<std::string>(found));
      outcome.seed = seed_of(world);
      outcome.scenario = outcome.seed % scenarios_.size();
      return take_one(outcome);
    };
    run_apart(worlds);
    return std::move(swarm_);
  }

 private:
  std::uint64_t seed_of(std::uint64_t world) const {
    return options_.seeds.first + options_.shard.index - 1 + world * options_.shard.of;
  }

  Outcome outcome_of(const Lost& lost) const {
    if (options_.lost) options_.lost(lost.errors);
    Outcome outcome;
    outcome.failures.push_back(RunFailure{std::string(kNoAbort), lost.how});
    return outcome;
  }

  Outcome run_one(std::uint64_t seed) const {
    Outcome outcome;
    const Scenario& scenario = scenarios_[seed % scenarios_.size()];
    const auto again = [&](const Want& want) {
      return options_.run(scenario, seed, options_.profile, want);
    };
    WorldRun run;
    if (options_.check_determinism) {
      Twice twice = run_twice(again);
      run = std::move(twice.once);
      outcome.difference = std::move(twice.difference);
      outcome.trace = first_bits(run.result.trace_hash);
    } else {
      run = again({});
      const bool first = options_.hash_first && seed == seed_of(0);
      if (first || !run.result.failures.empty()) {
        const Want want = {.state = false, .trace_hash = true, .trace = false};
        outcome.trace = first_bits(again(want).result.trace_hash);
      }
    }
    outcome.fingerprint = fingerprint_of(scenario, run.result);
    outcome.faults = faults_of(run);
    outcome.situations = run.result.situations;
    outcome.sometimes = std::move(run.result.sometimes);
    outcome.failures = std::move(run.result.failures);
    return outcome;
  }

  // take_one counts a world, in the order of their seeds. Returns whether to go on.
  bool take_one(const Outcome& outcome) {
    take(outcome);
    if (options_.progress) options_.progress(swarm_.totals.worlds, worlds_);
    const bool failed = !outcome.failures.empty() || !outcome.difference.empty();
    return !failed || !options_.until_failure;
  }

  void take(const Outcome& outcome) {
    SweepTotals& totals = swarm_.totals;
    if (totals.worlds == 0 && options_.hash_first) swarm_.first_trace = digits_of(outcome.trace);
    ++totals.worlds;
    totals.fingerprint += outcome.fingerprint;
    count_faults(outcome);
    count_situations(outcome);
    ++totals.scenarios[outcome.scenario].runs;
    if (!outcome.failures.empty()) take_failure(outcome);
    if (totals.determinism) take_twice(outcome);
  }

  void count_faults(const Outcome& outcome) {
    for (const VerbInfo& info : all_verbs()) {
      const FaultCount& count = outcome.faults[static_cast<std::size_t>(info.verb)];
      if (count.worlds == 0) continue;
      FaultCount& sum = swarm_.totals.faults[std::string(info.name)];
      sum.worlds += count.worlds;
      sum.struck += count.struck;
      sum.met += count.met;
    }
  }

  void count_situations(const Outcome& outcome) {
    std::map<std::string, std::uint64_t>& situations = swarm_.totals.situations;
    const Scenario& scenario = scenarios_[outcome.scenario];
    for (std::size_t i = 0; i < kSituations; ++i) {
      if (!outcome.situations[i]) continue;
      const std::string name(all_situations()[i].name);
      ++situations[name];
      if (scenario.sometimes[i]) ++situations[own(scenario, name)];
    }
    for (const std::string& name : outcome.sometimes) ++situations[own(scenario, name)];
  }

  void take_failure(const Outcome& outcome) {
    SweptScenario& scenario = swarm_.totals.scenarios[outcome.scenario];
    ++scenario.failed;
    swarm_.unsafe = swarm_.unsafe || !std::ranges::all_of(outcome.failures, is_liveness);
    if (!scenario.first) {
      scenario.first = failed_world(outcome, message_of(outcome.failures), trace_of(outcome));
    }
    const bool fresh = seen_.emplace(outcome.scenario, outcome.failures.front().check).second;
    if (!fresh || swarm_.failures.size() == kFailuresKept) return;
    swarm_.failures.push_back(Failure{outcome.scenario, outcome.seed, outcome.failures});
  }

  void take_twice(const Outcome& outcome) {
    DeterminismTotals& determinism = *swarm_.totals.determinism;
    ++determinism.checked;
    determinism.traces += outcome.trace;
    if (outcome.difference.empty()) return;
    ++determinism.differ;
    if (!determinism.first) {
      // There is no trace to expect of a world that has two.
      determinism.first =
          failed_world(outcome, outcome.difference, " --check-determinism" + trace_of({}));
    }
  }

  std::string trace_of(const Outcome& outcome) const {
    if (options_.version.empty()) return "";
    return expect_trace({options_.version, digits_of(outcome.trace)});
  }

  FailedWorld failed_world(const Outcome& outcome, std::string message,
                           const std::string& how) const {
    const Scenario& scenario = scenarios_[outcome.scenario];
    return {outcome.seed, scenario.id, std::move(message),
            world_reproduction(scenario, outcome.seed, options_.profile) + how};
  }

  std::span<const Scenario> scenarios_;
  const SwarmOptions& options_;
  std::uint64_t worlds_ = 0;
  Swarm swarm_;
  std::set<std::pair<std::size_t, std::string>> seen_;  // Scenarios and checks that failed.
};

}  // namespace

std::string_view name_of(Profile profile) { return profile == Profile::kNone ? "none" : "default"; }

WorldRun run_world(const Scenario& scenario, std::uint64_t seed, Profile profile,
                   const Want& want) {
  WorldRun run;
  if (profile == Profile::kNone) {
    run.weather = weather_of(scenario);
  } else {
    fakes::Choices choices = weather_choices(scenario, seed);
    run.weather = draw_weather(scenario, choices);
    run.drawn = choices.made();
  }
  RunOptions options;
  options.seed = seed;
  options.weather = &run.weather;
  options.want = want;
  run.result = run_scenario(scenario, options);
  return run;
}

void sort_by_id(std::vector<Scenario>& scenarios) {
  std::ranges::sort(scenarios, {}, &Scenario::id);
}

Swarm run_swarm(std::span<const Scenario> scenarios, const SwarmOptions& options) {
  check(!scenarios.empty(), "a sweep of nothing");
  check(options.seeds.first <= options.seeds.last, "a range of seeds has at least one");
  return Sweeping(scenarios, options).run();
}

std::string world_reproduction(const Scenario& scenario, std::uint64_t seed, Profile profile) {
  const std::string number = std::to_string(seed);
  const std::string out = "plumbline sweep " + scenario.file + " --seeds " + number + ".." +
                          number + plant_options(scenario.inner);
  return profile == Profile::kDefault ? out : out + " --faults " + std::string(name_of(profile));
}

}  // namespace plumbline::scenarios
