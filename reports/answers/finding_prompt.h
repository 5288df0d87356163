// What a coding agent is told to mend one finding.

#pragma once

#include <string>

#include "reports/answers/explanation.h"

namespace plumbline::reports {

// finding_prompt returns a prompt for one result: what is broken, what has to hold, what was seen,
// and how to check it. What the subject said stands on indented lines, as data.
std::string finding_prompt(const CheckResult& result, const Report& report,
                           const Explanations& explanations);

}  // namespace plumbline::reports
