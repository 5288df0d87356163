#include "core/events/sweep_totals.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace plumbline {

namespace {

void keep_lowest(std::optional<FailedWorld>& kept, const std::optional<FailedWorld>& other) {
  if (other && (!kept || other->seed < kept->seed)) kept = other;
}

std::string count_text(std::uint64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// meant_by_scenario returns how many seeds each scenario has: seed s belongs to number s mod n, so
// the shard's j-th seed and its (j + n)-th belong to the same.
std::vector<std::uint64_t> meant_by_scenario(const SweepTotals& totals) {
  const std::uint64_t scenarios = totals.scenarios.size();
  const std::uint64_t worlds = worlds_meant(totals);
  std::vector<std::uint64_t> meant(totals.scenarios.size(), 0);
  for (std::uint64_t j = 0; j < std::min(worlds, scenarios); ++j) {
    const std::uint64_t seed = totals.first + (totals.shard - 1) + j * totals.shards;
    meant[static_cast<std::size_t>(seed % scenarios)] += (worlds - j + scenarios - 1) / scenarios;
  }
  return meant;
}

CheckResult row_of(const SweptScenario& scenario, std::uint64_t meant) {
  CheckResult row;
  row.id = scenario.id;
  row.area = scenario.area;
  row.title = scenario.title;
  if (scenario.first) {
    row.verdict = Verdict::kFail;
    row.message = scenario.first->message;
    row.reproduce = scenario.first->reproduce;
    if (meant > 1) {
      row.message = "seed " + std::to_string(scenario.first->seed) + " is the first of " +
                    std::to_string(scenario.failed) + " that fail among " +
                    count_text(scenario.runs, "world") + ":\n" + row.message;
    }
  } else if (scenario.runs < meant) {
    row.verdict = Verdict::kInconclusive;
    row.message =
        "stopped after " + std::to_string(scenario.runs) + " of " + count_text(meant, "world");
  }
  return row;
}

CheckResult row_of(const DeterminismTotals& determinism) {
  CheckResult row;
  row.id = "determinism.same-seed-same-bytes";
  row.area = "determinism";
  row.title = "Every world that runs twice does the same, to the byte of its trace";
  if (!determinism.first) return row;
  const FailedWorld& first = *determinism.first;
  row.verdict = Verdict::kFail;
  row.message = std::to_string(determinism.differ) + " of " +
                count_text(determinism.checked, "world") + " differ; the first is seed " +
                std::to_string(first.seed) + " of " + first.scenario + ":\n" + first.message;
  row.reproduce = first.reproduce;
  return row;
}

CheckResult row_of(const std::string& situation, std::uint64_t seen, std::uint64_t worlds) {
  CheckResult row;
  row.id = "sometimes." + situation;
  row.area = "sometimes";
  row.title = "Comes up in at least one world";
  if (seen == 0) {
    row.verdict = Verdict::kFail;
    row.message = "never seen in " + count_text(worlds, "world");
  }
  return row;
}

}  // namespace

std::uint64_t worlds_meant(const SweepTotals& totals) {
  check(totals.shards >= 1 && totals.shard >= 1 && totals.shard <= totals.shards, "no such shard");
  const std::uint64_t before = totals.shard - 1;
  const std::uint64_t all = totals.last - totals.first + 1;
  return all <= before ? 0 : (all - before - 1) / totals.shards + 1;
}

void add(SweepTotals& into, const SweepTotals& part) {
  into.worlds += part.worlds;
  into.fingerprint += part.fingerprint;
  if (part.determinism) {
    if (!into.determinism) into.determinism.emplace();
    into.determinism->checked += part.determinism->checked;
    into.determinism->differ += part.determinism->differ;
    into.determinism->traces += part.determinism->traces;
    keep_lowest(into.determinism->first, part.determinism->first);
  }
  for (const auto& [verb, count] : part.faults) {
    FaultCount& sum = into.faults[verb];
    sum.worlds += count.worlds;
    sum.struck += count.struck;
    sum.met += count.met;
  }
  for (const auto& [name, worlds] : part.situations) into.situations[name] += worlds;
  check(into.scenarios.size() == part.scenarios.size(), "totals of two different sweeps");
  for (std::size_t i = 0; i < part.scenarios.size(); ++i) {
    into.scenarios[i].runs += part.scenarios[i].runs;
    into.scenarios[i].failed += part.scenarios[i].failed;
    keep_lowest(into.scenarios[i].first, part.scenarios[i].first);
  }
}

std::vector<CheckResult> rows_of(const SweepTotals& totals) {
  std::vector<CheckResult> rows;
  const std::vector<std::uint64_t> meant = meant_by_scenario(totals);
  for (std::size_t i = 0; i < totals.scenarios.size(); ++i) {
    if (meant[i] > 0) rows.push_back(row_of(totals.scenarios[i], meant[i]));
  }
  if (totals.determinism) rows.push_back(row_of(*totals.determinism));
  const bool whole = totals.shards == 1 && totals.worlds == worlds_meant(totals);
  if (!whole || totals.worlds < kSometimesJudgedFrom) return rows;
  for (const auto& [name, worlds] : totals.situations) {
    rows.push_back(row_of(name, worlds, totals.worlds));
  }
  return rows;
}

}  // namespace plumbline
