// The part "sweep" of a JSON report: what the shards of a sweep tell each other.

#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/events/report.h"
#include "core/events/sweep_totals.h"

namespace plumbline::reports {

// append_sweep writes the value of "sweep", from its opening brace to its closing one.
void append_sweep(std::string& out, const SweepTotals& totals);

// read_sweep_report reads what write_json wrote of a sweep, but for its results, which are counted
// anew, and the times. kInvalidInput: no such report; the message says what is wrong, not where.
Result<Report> read_sweep_report(std::string_view text);

}  // namespace plumbline::reports
