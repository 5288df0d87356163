// What `run` and `demo` share: many worlds, one report.

#pragma once

#include <string>
#include <vector>

#include "cli/host.h"
#include "cli/options/common_options.h"
#include "cli/options/world_options.h"
#include "scenarios/sweep/seed_runs.h"

namespace plumbline::cli {

struct ManyRuns {
  Report report;
  bool interrupted = false;  // By the user: the report has what was finished.
};

// run_many runs every scenario under every seed, with progress on stderr, and makes the report.
// `strict`: what a file hardly means is a failure.
ManyRuns run_many(const std::string& command, const std::vector<scenarios::Scenario>& scenarios,
                  SeedRange seeds, int jobs, bool strict, const Common& common, Host& host);

}  // namespace plumbline::cli
