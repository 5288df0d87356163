#include "reports/merge.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/base/errors/errors.h"
#include "reports/beside.h"
#include "reports/report_text.h"
#include "reports/text.h"

namespace plumbline::reports {
namespace {

Error wrong(std::string message) { return Error{ErrorCode::kInvalidInput, std::move(message)}; }

bool same_scenarios(const SweepTotals& one, const SweepTotals& other) {
  return std::ranges::equal(one.scenarios, other.scenarios, {}, &SweptScenario::id,
                            &SweptScenario::id);
}

// first_difference returns what shows that two reports are of different sweeps; nothing if nothing.
std::optional<std::string> first_difference(const Report& one, const Report& other) {
  const SweepTotals& a = *one.sweep;
  const SweepTotals& b = *other.sweep;
  if (one.version != other.version) return "version " + one.version + " and " + other.version;
  if (a.shards != b.shards) {
    return std::to_string(a.shards) + " shards and " + std::to_string(b.shards);
  }
  if (a.first != b.first || a.last != b.last) return "other seeds";
  if (a.profile != b.profile) return "faults " + a.profile + " and " + b.profile;
  if (one.target != other.target || !same_scenarios(a, b)) return "other scenarios";
  if (a.determinism.has_value() != b.determinism.has_value()) {
    return "--check-determinism in one of them only";
  }
  return std::nullopt;
}

// list_of returns "2, 5 and 6", of many the first few.
std::string list_of(const std::vector<std::uint64_t>& numbers) {
  constexpr std::size_t kShown = 8;
  std::string out;
  for (std::size_t i = 0; i < std::min(numbers.size(), kShown); ++i) {
    out += (i == 0 ? "" : ", ") + std::to_string(numbers[i]);
  }
  return numbers.size() > kShown ? out + " ..." : out;
}

Status belong_together(const std::vector<ShardReport>& shards) {
  std::map<std::uint64_t, std::string> names;
  const ShardReport& front = shards.front();
  for (const ShardReport& shard : shards) {
    const auto differs = first_difference(front.report, shard.report);
    if (differs) return wrong(shard.name + ": not of the sweep of " + front.name + ": " + *differs);
    const std::uint64_t index = shard.report.sweep->shard;
    const auto [before, fresh] = names.emplace(index, shard.name);
    if (!fresh) {
      return the_error("sweep.shard-twice", shard.name, std::to_string(index), before->second);
    }
  }
  const std::uint64_t all = front.report.sweep->shards;
  if (names.size() == all) return Done{};
  std::vector<std::uint64_t> missing;
  for (std::uint64_t index = 1; index <= all && missing.size() < 9; ++index) {
    if (!names.contains(index)) missing.push_back(index);
  }
  return the_error("sweep.shards-missing", std::to_string(all), list_of(missing));
}

// nothing_of returns the totals of the same sweep before its first world.
SweepTotals nothing_of(SweepTotals totals) {
  totals.shard = 1;
  totals.shards = 1;
  totals.worlds = 0;
  totals.fingerprint = 0;
  totals.determinism.reset();
  totals.faults.clear();
  totals.situations.clear();
  for (SweptScenario& scenario : totals.scenarios) {
    scenario.runs = 0;
    scenario.failed = 0;
    scenario.first.reset();
  }
  return totals;
}

// same_kind returns whether reports that are of no sweep can stand in one.
Status same_kind(const ShardReport& first, const ShardReport& other) {
  if (other.report.sweep.has_value() != first.report.sweep.has_value()) {
    return wrong(other.name + ": one of a sweep and one that is not: " + first.name);
  }
  const auto differ = [&](const char* what, const std::string& a, const std::string& b) {
    return wrong(other.name + ": " + what + " " + b + ", of " + first.name + " it is " + a);
  };
  const Report& a = first.report;
  const Report& b = other.report;
  if (a.version != b.version) return differ("version", a.version, b.version);
  if (a.command != b.command) return differ("command", a.command, b.command);
  return Done{};
}

// add_results moves the results of `from` into `whole`; none may stand there already.
Status add_results(ShardReport& from, std::map<std::string, std::string>& seen, Report& whole) {
  for (CheckResult& row : from.report.results) {
    const std::string variant = variant_of(row);
    const std::string name = row.id + (variant.empty() ? "" : " (" + variant + ")");
    const auto [before, fresh] = seen.emplace(name, from.name);
    if (!fresh) return wrong(from.name + ": " + name + " stands in " + before->second + ", too");
    whole.results.push_back(std::move(row));
  }
  return Done{};
}

// add_facts adds what one report tells beside its target to what the others tell.
void add_facts(Json& beside, const char* key, const Json& facts) {
  Json& all = beside[key];
  if (facts.is_array()) {
    for (const Json& each : facts) all.push_back(each);
  } else if (std::string_view(key) == kEffort) {
    add_effort(all, facts);
  } else if (facts.is_object()) {
    all.update(facts);
  } else {
    all = facts;
  }
}

}  // namespace

Result<Report> merge_reports(std::vector<ShardReport> reports) {
  if (reports.empty()) return wrong("nothing to merge");
  for (const ShardReport& report : reports) {
    const Status same = same_kind(reports.front(), report);
    if (!same.ok()) return same.error();
  }
  if (reports.front().report.sweep) return merge_shards(std::move(reports));
  Report whole = reports.front().report;
  whole.results.clear();
  whole.duration_ms = 0;
  Json targets = Json::array();
  Json beside(Json::value_t::object);
  std::map<std::string, std::string> seen;
  for (ShardReport& part : reports) {
    const Status added = add_results(part, seen, whole);
    if (!added.ok()) return added.error();
    whole.duration_ms += part.report.duration_ms;
    whole.started = std::min(whole.started, part.report.started);  // RFC 3339 in UTC.
    if (part.report.revision != whole.revision) whole.revision.clear();
    Json target = part.report.target;
    for (const char* const key : kBeside) {
      const Json* const facts = find(target, key);
      if (facts == nullptr) continue;
      add_facts(beside, key, *facts);
      target.erase(key);
    }
    if (std::ranges::find(targets, target) == targets.end()) targets.push_back(std::move(target));
  }
  whole.target = targets.size() == 1 ? targets.front() : Json({{"merged", std::move(targets)}});
  if (!beside.empty()) whole.target.update(beside);
  return whole;
}

Result<Report> merge_shards(std::vector<ShardReport> shards) {
  if (shards.empty()) return wrong("nothing to merge");
  const Status together = belong_together(shards);
  if (!together.ok()) return together.error();
  SweepTotals totals = nothing_of(*shards.front().report.sweep);
  for (const ShardReport& shard : shards) add(totals, *shard.report.sweep);
  Report merged = std::move(shards.front().report);
  merged.started.clear();
  merged.duration_ms = 0;
  merged.results = rows_of(totals);
  merged.sweep = std::move(totals);
  return merged;
}

}  // namespace plumbline::reports
