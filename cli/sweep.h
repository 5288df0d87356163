// What `run` and `demo` share: many worlds, one report.

#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/host.h"
#include "scenarios/parallel.h"

namespace plumbline::cli {

struct SweepOutcome {
  Report report;
  bool interrupted = false;  // By the user: the report has what was finished.
};

// sweep runs every scenario under every seed, with progress on stderr, and makes the report.
SweepOutcome sweep(const std::string& command, const std::vector<scenarios::Scenario>& scenarios,
                   SeedRange seeds, int jobs, const Common& common, Host& host);

}  // namespace plumbline::cli
