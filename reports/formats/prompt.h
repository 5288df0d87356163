// The prompts of a report, for a coding agent.

#pragma once

#include <string>

#include "core/events/report.h"

namespace plumbline::reports {

// write_prompt returns a prompt for each failure that is the author's to mend, or else for each
// warning: what is broken, why, what was sent and got, and how to check that it is mended. What the
// subject said stands in indented lines alone.
std::string write_prompt(const Report& report);

}  // namespace plumbline::reports
