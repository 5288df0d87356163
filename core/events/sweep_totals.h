// SweepTotals is what came of a sweep: many worlds, each of one scenario under weather of its own.
// Everything in it adds up, so the totals of the parts of a sweep make those of the whole, in
// whatever way it was parted.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/events/check_result.h"

namespace plumbline {

// FailedWorld is a world that went wrong, and how to see it again.
struct FailedWorld {
  std::uint64_t seed = 0;
  std::string scenario;
  std::string message;    // A line for each thing that was wrong.
  std::string reproduce;  // One command.
};

// SweptScenario is what came of one scenario. Only its last three members are counted.
struct SweptScenario {
  std::string id;
  std::string area;
  std::string title;
  std::uint64_t runs = 0;
  std::uint64_t failed = 0;
  std::optional<FailedWorld> first;  // That failed: of the lowest seed.
};

struct FaultCount {
  std::uint64_t worlds = 0;  // That had one.
  std::uint64_t struck = 0;  // How many came to happen.
  std::uint64_t met = 0;     // How many of these changed anything.
};

// DeterminismTotals is what came of running worlds twice.
struct DeterminismTotals {
  std::uint64_t checked = 0;
  std::uint64_t differ = 0;
  std::uint64_t traces = 0;          // A fingerprint of all traces.
  std::optional<FailedWorld> first;  // That differed: of the lowest seed.
};

struct SweepTotals {
  // What was asked for. Worlds are the seeds of [first, last] of which every `shards`-th, from the
  // `shard`-th on, was meant: all of them for 1 of 1.
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint64_t shard = 1;
  std::uint64_t shards = 1;
  std::string profile;  // Of the faults that were drawn.

  // What came of it.
  std::uint64_t worlds = 0;
  std::uint64_t fingerprint = 0;  // Of what every world did, in any order of the worlds.
  std::optional<DeterminismTotals> determinism;
  std::map<std::string, FaultCount> faults;         // By verb.
  std::map<std::string, std::uint64_t> situations;  // Worlds in which each came up, none included.
  std::vector<SweptScenario> scenarios;             // Every one, also those that had no seed.
};

// A "sometimes" that was never seen is held against a whole sweep of at least this many worlds.
inline constexpr std::uint64_t kSometimesJudgedFrom = 2'000;

// worlds_meant returns how many seeds the shard has.
std::uint64_t worlds_meant(const SweepTotals& totals);

// add counts what `part` found. Both are of the same sweep.
void add(SweepTotals& into, const SweepTotals& part);

// rows_of returns the rows of the report: the scenarios that had a seed; then, where worlds ran
// twice, determinism.same-seed-same-bytes; then, where they are judged, a sometimes.NAME for each
// situation.
std::vector<CheckResult> rows_of(const SweepTotals& totals);

}  // namespace plumbline
