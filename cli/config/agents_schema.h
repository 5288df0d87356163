// The JSON Schema of the file of `ask` and `connect`, for editors: docs/agents.schema.json is what
// it prints. What each part may hold comes from the table that reads it.

#pragma once

#include "core/json/json.h"

namespace plumbline::cli {

Json agents_schema();

}  // namespace plumbline::cli
