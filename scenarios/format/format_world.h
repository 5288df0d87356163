// The "world" part of a scenario file.

#pragma once

#include <optional>

#include "core/json/json.h"
#include "core/json/object_reader.h"
#include "scenarios/format/scenario.h"

namespace plumbline::scenarios {

// read_world reads the member "world". What is wrong with it becomes `problem`.
WorldSpec read_world(const Json& json, std::optional<Problem>& problem);

}  // namespace plumbline::scenarios
