// What the commands of `report` read.

#pragma once

#include <string>

#include "cli/host.h"
#include "core/base/result.h"
#include "core/events/report.h"

namespace plumbline::cli {

// read_report_file returns the JSON report at `path`. Any Error is kInvalidInput, of one line that
// names the path.
Result<Report> read_report_file(Host& host, const std::string& path);

}  // namespace plumbline::cli
