#include "reports/sweep_text.h"

#include <cstdint>
#include <utility>

#include "reports/text.h"

namespace plumbline::reports {

std::vector<CountTable> tables_of(const SweepTotals& totals) {
  std::vector<CountTable> tables;
  if (!totals.faults.empty()) {
    CountTable& faults = tables.emplace_back();
    faults.heading = {"fault", "worlds", "struck", "met something"};
    for (const auto& [verb, count] : totals.faults) {
      faults.rows.push_back({verb, std::to_string(count.worlds), std::to_string(count.struck),
                             std::to_string(count.met)});
    }
  }
  if (!totals.situations.empty()) {
    CountTable& situations = tables.emplace_back();
    situations.heading = {"situation", "worlds"};
    for (const auto& [name, worlds] : totals.situations) {
      situations.rows.push_back({name, worlds == 0 ? "never" : std::to_string(worlds)});
    }
  }
  return tables;
}

std::string scope_text(const SweepTotals& totals) {
  std::string out = "seeds " + std::to_string(totals.first) + ".." + std::to_string(totals.last);
  if (totals.shards == 1) return out;
  return out + ", shard " + std::to_string(totals.shard) + " of " + std::to_string(totals.shards);
}

std::vector<std::string> facts_of(const SweepTotals& totals) {
  std::vector<std::string> facts;
  facts.push_back(std::to_string(totals.worlds) + " worlds of " +
                  std::to_string(totals.scenarios.size()) +
                  " scenarios, faults: " + totals.profile + ".");
  if (totals.determinism) {
    facts.push_back(std::to_string(totals.determinism->checked) + " worlds ran twice, " +
                    std::to_string(totals.determinism->differ) + " differ; traces " +
                    hex_text(totals.determinism->traces) + ".");
  }
  facts.push_back("Fingerprint " + hex_text(totals.fingerprint) + ".");
  return facts;
}

}  // namespace plumbline::reports
