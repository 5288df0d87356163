// The JSON Schema of a scenario file, for editors: docs/scenario.schema.json is what it prints.
// What each part may hold comes from the table that reads it.

#pragma once

#include "core/json/json.h"

namespace plumbline::scenarios {

Json scenario_schema();

}  // namespace plumbline::scenarios
