// The graph inside workflow_agent: initialize_workflow, execute_step, validate_findings,
// update_confidence, then generate_actions where the work goes on. A consensus asks its models side
// by side instead, and joins what they say.

#pragma once

#include "core/agents/supervisor/nodes/supervisor_nodes.h"
#include "core/graph/graph.h"

namespace plumbline::agents::supervisor {

using SupervisorGraph = graph::Graph<SupervisorState, SupervisorServices>;

inline constexpr const char* kInitializeWorkflow = "initialize_workflow";
inline constexpr const char* kExecuteStep = "execute_step";
inline constexpr const char* kValidateFindings = "validate_findings";
inline constexpr const char* kUpdateConfidence = "update_confidence";
inline constexpr const char* kGenerateActions = "generate_actions";
inline constexpr const char* kConsultModel = "consult_model";
inline constexpr const char* kJoinOpinions = "join_opinions";

// workflow_graph returns a graph of its own, to be put into another.
//
// A request with a "step" has its steps made by its user: generate_actions asks for the next one
// with {"type": "step", "name": the tool, "arguments": {"step_number", "total_steps", "confidence",
// "findings", "required_actions", "cli_results"}}, and takes the arguments of the next call as the
// answer, or {"approve": false} for the end. Of a request without, a model makes the steps.
SupervisorGraph workflow_graph();

}  // namespace plumbline::agents::supervisor
