// OperationsState as JSON and back, without loss: what a checkpoint keeps. to_json() is what people
// and reports see of it.

#pragma once

#include "core/agents/operations/operations_state.h"
#include "core/base/result.h"
#include "core/json/json.h"

namespace plumbline::agents {

Json save_state(const OperationsState& state);

// load_state reads what save_state wrote. kInvalidInput names the field that is missing or wrong.
Result<OperationsState> load_state(const Json& saved);

}  // namespace plumbline::agents
