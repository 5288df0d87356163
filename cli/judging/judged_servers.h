// Servers judged in real time, one after the other: what `check server` and `demo` share.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/judging/check_targets.h"
#include "cli/options/common_options.h"
#include "cli/options/selection_options.h"
#include "conformance/checks/server/callable_tools.h"
#include "core/events/report.h"
#include "core/net/network.h"
#include "reports/answers/judged.h"
#include "reports/faults.h"

namespace plumbline::cli {

struct JudgedServers {
  std::vector<CheckResult> results;
  std::string revision;    // That was judged; empty: several, or none.
  Error complaint;         // Which servers could not be judged, and why; wordless: all were.
  std::string last_words;  // Of the stderr of the last of them.
  Json found;              // By a survey; null: nothing.
  std::vector<reports::Judged> judged;   // What each target says that it is.
  std::vector<reports::BuiltWith> sdks;  // Of the targets that were recognised.
  Json effort;                           // Of all together; see reports::add_effort.
  bool interrupted = false;
};

// ServerJudging is which checks run against servers, and how.
struct ServerJudging {
  CheckSelection selection;
  conformance::ProbeOptions probe;
  std::string hint_file;  // Where its hints are from; empty: there are none.
  bool survey = false;    // Find out what tools show, and judge nothing.
  // Where the judge listens in the place of what stands behind the servers; no host: it does not.
  net::Authority upstream;
  int starts_max = 0;           // How often a command may be started; 0: as often as is needed.
  std::function<bool()> newer;  // Whether to end early, as the server has changed; empty: never.
  Common common;
};

// judge_servers runs the checks that `judging` selects against each target.
JudgedServers judge_servers(const ServerJudging& judging, const CheckTargets& targets, Host& host);

}  // namespace plumbline::cli
