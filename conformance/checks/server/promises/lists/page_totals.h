// Whether the number of all that matches is that, and not the number of what was given.

#pragma once

#include "conformance/checks/server/exercise.h"
#include "core/base/task.h"

namespace plumbline::conformance {

// judge_page_total calls a tool with a limit of 1 and with a larger one, each twice. `params` are
// those of a good call of it.
Task<Finding> judge_page_total(Client client, const Json* tool, Json params);

// totals_pages returns whether a tool takes a limit, and says of a number that it counts all.
bool totals_pages(const Json& tool);

}  // namespace plumbline::conformance
