// Report is the outcome of a command: one Result row for each check or scenario, as every writer
// in reports/ prints it. The manual of `--report json` fixes the keys of the document.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/events/check_result.h"
#include "core/events/sweep_totals.h"
#include "core/json/json.h"

namespace plumbline {

struct Summary {
  std::int64_t pass = 0;
  std::int64_t fail = 0;
  std::int64_t warn = 0;
  std::int64_t skip = 0;
  std::int64_t inconclusive = 0;
  std::int64_t expected_fail = 0;
  std::int64_t follow = 0;  // Of `fail`, those that another of them brings with it.
};

struct Report {
  std::string version;   // Of plumbline.
  std::string command;   // "run", "demo", "check server".
  Json target;           // What was judged: {"scenarios": [...]}; null when there is none.
  std::string revision;  // Empty when several.
  std::uint64_t seed = 0;
  std::string started;  // RFC 3339. An input, so that equal runs give equal bytes.
  double duration_ms = 0;
  std::optional<SweepTotals> sweep;  // Of `sweep`: what its results were counted from.
  std::vector<CheckResult> results;
};

// summarize counts the verdicts.
Summary summarize(const Report& report);

}  // namespace plumbline
