// The nodes inside workflow_agent: see workflow_graph.h.

#pragma once

#include "core/agents/supervisor/nodes/supervisor_nodes.h"

namespace plumbline::agents::supervisor {

Task<SupervisorResult> initialize_workflow_node(SupervisorContext& context);
Task<SupervisorResult> execute_step_node(SupervisorContext& context);
Task<SupervisorResult> validate_findings_node(SupervisorContext& context);
Task<SupervisorResult> update_confidence_node(SupervisorContext& context);
Task<SupervisorResult> generate_actions_node(SupervisorContext& context);
Task<SupervisorResult> consult_model_node(SupervisorContext& context);
Task<SupervisorResult> join_opinions_node(SupervisorContext& context);

}  // namespace plumbline::agents::supervisor
