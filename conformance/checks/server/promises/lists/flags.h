// Whether a switch leaves out what it says: freeOnly, includeArchived.

#pragma once

#include "conformance/checks/server/exercise.h"
#include "core/base/task.h"

namespace plumbline::conformance {

// judge_flags calls a tool with each such switch alone. `params` are those of a good call of it.
Task<Finding> judge_flags(Client client, const Json* tool, Json params);

// has_flags returns whether a tool has such a switch.
bool has_flags(const Json& tool);

}  // namespace plumbline::conformance
