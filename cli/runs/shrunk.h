// What a sweep does with the failures it found: each is made small and written down as a scenario.

#pragma once

#include <string>
#include <vector>

#include "cli/host.h"
#include "core/events/report.h"
#include "scenarios/format/scenario.h"
#include "scenarios/shrink/shrink.h"
#include "scenarios/sweep/parallel.h"
#include "scenarios/sweep/swarm.h"

namespace plumbline::cli {

// write_shrunk_failures makes each of `failures` small and says in its row of `report` what is left
// of it. Into a `folder` it writes each as SCENARIO-SEED.json, and says how to run it; the folder
// is made when there is something to write. Without one (empty) nothing is written, and the row
// says how to come to such a file. Stops early once `stop` says so. An error is of the folder.
Status write_shrunk_failures(const std::vector<scenarios::Scenario>& scenarios,
                             const std::vector<scenarios::Failure>& failures,
                             const std::string& folder, const scenarios::Stop& stop, Host& host,
                             Report& report);

// run_again returns the line that runs the small failure in the file `path`, whose text is `text`.
std::string run_again(const scenarios::Shrunk& shrunk, const std::string& text,
                      const std::string& path);

}  // namespace plumbline::cli
