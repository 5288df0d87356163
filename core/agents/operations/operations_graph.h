// The graph of the operations assistant: its eleven nodes, and which follows which.
//
//   START -> preprocess_request -> classify_intent -> discover_capabilities -> select_capability
//         -> validate_capability -> build_mcp_request -> invoke_mcp_capability -> integrate_result
//         -> generate_final_response -> END
//
// with answer_without_mcp and mark_needs_review as the ways out. `plumbline graph` draws it.

#pragma once

#include <string_view>

#include "core/agents/operations/assistant_services.h"
#include "core/agents/operations/operations_state.h"
#include "core/graph/graph.h"

namespace plumbline::agents {

using AssistantGraph = graph::Graph<OperationsState, AssistantServices>;

// kInvoke names the node that sends calls.
inline constexpr std::string_view kInvoke = "invoke_mcp_capability";

// operations_assistant returns the graph, built once a process. Safe to share between threads.
const AssistantGraph& operations_assistant();

}  // namespace plumbline::agents
