// Whether two filters together leave no more than each alone.

#pragma once

#include "conformance/checks/server/exercise.h"
#include "core/base/task.h"

namespace plumbline::conformance {

// judge_narrowing calls a tool that lists with one of its filters, with another, and with both.
// `params` are those of a good call of it.
Task<Finding> judge_narrowing(Client client, const Json* tool, Json params);

// has_filters returns whether a tool has two parameters that may be filters.
bool has_filters(const Json& tool);

}  // namespace plumbline::conformance
