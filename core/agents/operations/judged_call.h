// Whether the capability that was selected may be called, and with which arguments.

#pragma once

#include <optional>

#include "core/agents/operations/operations_state.h"
#include "core/agents/policy/policy.h"
#include "core/json/json.h"

namespace plumbline::agents {

// judged_call judges the call of the capability that `state` has selected. What the request gives
// is taken from `proposed`, an object, where a model has named that, and otherwise from the words.
Validation judged_call(const OperationsState& state, const Policy& policy,
                       const std::optional<Json>& proposed);

}  // namespace plumbline::agents
