// The way back: a Report from its JSON.

#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/events/report.h"

namespace plumbline::reports {

// read_report reads what write_json wrote; of a sweep as read_sweep_report does. kInvalidInput: no
// such report; the message says what is wrong, and in which result.
Result<Report> read_report(std::string_view text);

}  // namespace plumbline::reports
