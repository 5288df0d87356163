// What a sweep counted, as tables of text that each format draws in its own way.

#pragma once

#include <string>
#include <vector>

#include "core/events/sweep_totals.h"

namespace plumbline::reports {

// CountTable is names with numbers beside them. Every row is as long as the heading.
struct CountTable {
  std::vector<std::string> heading;
  std::vector<std::vector<std::string>> rows;
};

// tables_of returns the faults that were drawn and the situations that came up, as far as there
// are any.
std::vector<CountTable> tables_of(const SweepTotals& totals);

// scope_text returns "seeds 1..20000", and which shard if it is one.
std::string scope_text(const SweepTotals& totals);

// facts_of returns a sentence each on the worlds, their determinism, and their fingerprint.
std::vector<std::string> facts_of(const SweepTotals& totals);

}  // namespace plumbline::reports
