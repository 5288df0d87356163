// The graph of the supervisor: it routes a request to the agent of its tool, and on to others as
// long as one asks for the next.

#pragma once

#include "core/agents/supervisor/workflow/workflow_graph.h"

namespace plumbline::agents::supervisor {

// supervisor_graph returns the graph, built once.
const SupervisorGraph& supervisor_graph();

}  // namespace plumbline::agents::supervisor
