// Servers judged in real time, one after the other: what `check server` and `demo` share.

#pragma once

#include <string>
#include <vector>

#include "cli/judging/check_targets.h"
#include "cli/options/common_options.h"
#include "cli/options/selection_options.h"
#include "core/events/report.h"

namespace plumbline::cli {

struct JudgedServers {
  std::vector<CheckResult> results;
  std::string revision;   // That was judged; empty: several, or none.
  std::string complaint;  // Which servers could not be judged, and why; empty: all were.
  bool interrupted = false;
};

// ServerJudging is which checks run against servers, and how.
struct ServerJudging {
  CheckSelection selection;
  bool allow_writes = false;
  Common common;
};

// judge_servers runs the checks that `judging` selects against each target.
JudgedServers judge_servers(const ServerJudging& judging, const CheckTargets& targets, Host& host);

}  // namespace plumbline::cli
