// Clients that are right, and do what the reference client does not.

#pragma once

#include <vector>

#include "conformance/broken/client/client_deviation.h"

namespace plumbline::conformance {

// right_task_keeper runs tasks for its server, right_icon_loader loads icons.
ClientDeviation right_task_keeper();
ClientDeviation right_icon_loader();

// right_clients returns them and others, each by the id of a rule that it passes.
std::vector<ClientDeviation> right_clients();

}  // namespace plumbline::conformance
