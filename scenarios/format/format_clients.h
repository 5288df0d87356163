// The "clients" part of a scenario file: who acts against a server of ours, and what it keeps of
// them.

#pragma once

#include <optional>

#include "core/json/object_reader.h"
#include "scenarios/format/scenario.h"

namespace plumbline::scenarios {

// read_clients reads the clients of the file, and what is expected of a run of them. After the
// world: nobody else asks anything in such a file.
void read_clients(ObjectReader& fields, Scenario& scenario, std::optional<Problem>& problem);

// The JSON Schemas of one of "clients", of its steps, and of what is expected of clients.
Json client_shape();
Json client_step_shape();
Json clients_expect_shape();

}  // namespace plumbline::scenarios
