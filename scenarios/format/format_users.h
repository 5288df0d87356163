// Who asks whom, and what is to come of it, as a scenario file says it: one user of one agent
// ("agent", "request", "approve"), or several of each ("agents", "users").

#pragma once

#include <optional>

#include "core/json/object_reader.h"
#include "scenarios/format/scenario.h"

namespace plumbline::scenarios {

// read_users reads the agents and users of the file into `scenario`.
void read_users(ObjectReader& fields, Scenario& scenario, std::optional<Problem>& problem);

// read_expectations reads "expect", of the file and of each user. After read_users.
void read_expectations(ObjectReader& fields, Scenario& scenario, std::optional<Problem>& problem);

// asking_shape is the JSON Schema of what one user asks by; user_shape that of one of "users".
Json asking_shape();
Json user_shape();

}  // namespace plumbline::scenarios
