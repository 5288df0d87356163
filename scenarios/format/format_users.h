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

// asking_shapes are the JSON Schemas of the members by which one user asks, by their keys;
// user_shape is that of one of "users".
Json asking_shapes();
Json user_shape();

}  // namespace plumbline::scenarios
