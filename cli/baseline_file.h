// What --baseline and --fail-on excuse of what was judged: what the SDK does, what a file lists,
// and older revisions.

#pragma once

#include "cli/host.h"
#include "cli/options/common_options.h"
#include "core/base/result.h"
#include "core/events/report.h"

namespace plumbline::cli {

// check_baseline_file returns whether the file of `common` can be used, so that a mistake in it is
// told before anything runs. kInvalidInput: what is wrong, and where.
Status check_baseline_file(Host& host, const Common& common);

// excuse turns the failures into expected ones that count for nothing: those that the file of
// --baseline lists, with --update-baseline once it is rewritten, telling of each entry that is
// stale; then those of every server on the SDK, unless it is --baseline none; then, with --fail-on
// newest, those of older revisions.
Status excuse(Host& host, const Common& common, Report& report);

}  // namespace plumbline::cli
