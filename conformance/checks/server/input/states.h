// States that are shown otherwise than they were given: changed, or for other arguments.

#pragma once

#include <string>
#include <vector>

#include "conformance/checks/server/exercise.h"
#include "conformance/peer/client.h"

namespace plumbline::conformance {

// tampered returns other states than `state`, near to it.
std::vector<std::string> tampered(const std::string& state);

// with_another_argument returns `params` with one argument that has another value of its type: a
// number, a text or a flag; null when there is none. `name` is the argument's.
Json with_another_argument(Json params, std::string& name);

// binds_states_to_arguments makes calls that give a requestState, and makes each again with that
// and another argument. It fails when one succeeds, and skips when there was none to try.
Task<Finding> binds_states_to_arguments(Client& client, std::vector<const Call*> calls);

}  // namespace plumbline::conformance
