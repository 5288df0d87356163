// A baseline lists the failures that a project knows of, each with a reason: what is listed is an
// expected failure, what is not listed still fails, and what is listed but passes now is stale and
// has to go. So a subject that is not perfect can be judged on every change from the first day.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/events/report.h"

namespace plumbline::reports {

// BaselineEntry is one known failure. Without a server, revision or transport it stands for all of
// them.
struct BaselineEntry {
  std::string id;
  std::string server;     // May be empty.
  std::string revision;   // May be empty.
  std::string transport;  // May be empty.
  std::string reason;
  std::string link;  // To the issue, for example. May be empty.

  friend bool operator==(const BaselineEntry&, const BaselineEntry&) = default;
};

using Baseline = std::vector<BaselineEntry>;

// read_baseline reads the JSON of docs/baselines.md; comments are accepted. kInvalidInput:
// "NAME:LINE:COLUMN: what was found, what was expected".
Result<Baseline> read_baseline(std::string_view text, const std::string& name);

// write_baseline returns the file, one entry a line, in the order given. The same entries give the
// same bytes, so that a change is easy to review.
std::string write_baseline(const Baseline& baseline);

// apply_baseline turns every fail and warn that an entry lists into kExpectedFail, with the reason
// in front of its message, and returns the entries that are stale: rows that they list were judged,
// and all of them passed. An entry whose rows were skipped, inconclusive or not run is kept.
Baseline apply_baseline(const Baseline& baseline, Report& report);

// excuse_sdk turns every failure that is the doing of the SDK which its server is built with, and
// which its author cannot mend, into kExpectedFail. Returns how many.
std::size_t excuse_sdk(Report& report);

// excuse_older does so with every failure in an older revision than the newest in which its server
// was judged.
void excuse_older(Report& report);

// Of Report::target: what the stale entries list. In JSON it stands beside the target.
inline constexpr const char* kStale = "stale";

// stale_in returns them as describe_entry names them.
std::vector<std::string> stale_in(const Report& report);

// BaselineUpdate is a baseline as it should be, and what that changed.
struct BaselineUpdate {
  Baseline baseline;
  std::size_t added = 0;
  std::size_t dropped = 0;
};

// update_baseline drops the stale entries, keeps the others as they are, and adds one for every
// fail and warn that none lists and that is not the doing of the SDK. `report` is as it was judged,
// no baseline applied.
BaselineUpdate update_baseline(const Baseline& baseline, const Report& report);

// describe_entry names an entry for people: "tools.list (2025-11-25 stdio)".
std::string describe_entry(const BaselineEntry& entry);

}  // namespace plumbline::reports
