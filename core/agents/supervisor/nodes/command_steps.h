// What commands have in common wherever they run: what comes of one.

#pragma once

#include <string>
#include <vector>

#include "core/agents/supervisor/nodes/supervisor_nodes.h"

namespace plumbline::agents::supervisor {

// with_result adds what came of the next one of `commands`. After the last one the workflow goes
// on, or the tool is done.
SupervisorState::Update with_result(const SupervisorState& state, std::vector<std::string> commands,
                                    Json result);

// plain_error is the result of a command that did not run.
Json plain_error(const std::string& line, std::string why);

}  // namespace plumbline::agents::supervisor
