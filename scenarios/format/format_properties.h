// The "invariants" and "sometimes" parts of a scenario file.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "core/json/object_reader.h"
#include "scenarios/judge/properties.h"

namespace plumbline::scenarios {

// read_properties reads the array `json`, which stands at `pointer`.
std::vector<Property> read_properties(const Json& json, const std::string& pointer,
                                      std::optional<Problem>& problem);

// The JSON Schemas of "invariants", and of a pattern of events.
Json properties_shape();
Json pattern_shape();

}  // namespace plumbline::scenarios
