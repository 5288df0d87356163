// The file that --baseline names: read, applied to what was judged, and rewritten.

#pragma once

#include "cli/host.h"
#include "cli/options/common_options.h"
#include "core/base/result.h"
#include "core/events/report.h"

namespace plumbline::cli {

// check_baseline_file returns whether the file of `common` can be used, so that a mistake in it is
// told before anything runs. kInvalidInput: what is wrong, and where.
Status check_baseline_file(Host& host, const Common& common);

// apply_baseline_file turns the failures that the file lists into expected ones and tells of each
// entry that is stale; with --update-baseline it rewrites the file first. Returns whether an entry
// is stale. Does nothing without --baseline.
Result<bool> apply_baseline_file(Host& host, const Common& common, Report& report);

}  // namespace plumbline::cli
