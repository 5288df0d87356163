// Servers judged in real time, one after the other: what `check server` and `demo` share.

#pragma once

#include <string>
#include <vector>

#include "cli/judging/check_targets.h"
#include "core/events/report.h"

namespace plumbline::cli {

struct JudgedServers {
  std::vector<CheckResult> results;
  std::string revision;   // That was judged; empty: several, or none.
  std::string complaint;  // Which servers could not be judged, and why; empty: all were.
  bool interrupted = false;
};

// judge_servers runs the checks that `options` select against each target.
JudgedServers judge_servers(const CheckServerOptions& options, const CheckTargets& targets,
                            Host& host);

}  // namespace plumbline::cli
