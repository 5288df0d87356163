// Where what was judged goes: the baseline, the files of --report, and standard output.

#pragma once

#include <functional>
#include <string>

#include "cli/host.h"
#include "cli/options/common_options.h"
#include "core/events/report.h"

namespace plumbline::cli {

// publish takes the secrets out of what was judged, excuses what `common` excuses, writes the files
// that `common` asks for and prints the report on standard output. With one of them on standard
// output, that document is all that is printed there. What cannot be written is complained of, and
// keeps nothing else from being written. Returns the exit status: kExitUsage when the baseline
// cannot be read or written; else of the verdicts, kExitFailed when an entry of the baseline is
// stale; and kExitUnreachable in place of kExitOk when a report could not be written.
//
// `shown` makes what is printed where a command has its own way to say it; without: write_console.
using Shown = std::function<std::string(const Report& report, bool color)>;
int publish(Host& host, const Common& common, const Report& judged, const Shown& shown = {});

}  // namespace plumbline::cli
