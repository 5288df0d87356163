// Where the time of a judgement went: how often its subject was started, and what was waited for.
// These are times of a clock, which differ from run to run, and so stand apart from the results.

#pragma once

#include <string>

#include "core/events/report.h"

namespace plumbline::reports {

// Of Report::target: what was counted. In JSON it stands beside the target.
inline constexpr const char* kEffort = "effort";

// add_effort adds the numbers of `more`, an object of numbers and of such objects, to those of
// `effort`, which may be null.
void add_effort(Json& effort, const Json& more);

// effort_text says it in one line; empty: nothing was counted.
std::string effort_text(const Report& report);

}  // namespace plumbline::reports
