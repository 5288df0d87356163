// The nodes of the supervisor's graph. Which follows is decided in supervisor_graph.cc, from the
// state.

#pragma once

#include <string>
#include <string_view>

#include "core/agents/supervisor/state/supervisor_state.h"
#include "core/agents/supervisor/supervisor_services.h"
#include "core/agents/supervisor/tools/tool_table.h"
#include "core/graph/node.h"

namespace plumbline::agents::supervisor {

using SupervisorContext = graph::Context<SupervisorState, SupervisorServices>;
using SupervisorResult = graph::NodeResult<SupervisorState>;

inline constexpr const char* kSupervisor = "supervisor";
inline constexpr const char* kModelSelection = "model_selection";
inline constexpr const char* kFileProcessing = "file_processing";
inline constexpr const char* kSimpleToolAgent = "simple_tool_agent";
inline constexpr const char* kWorkflowAgent = "workflow_agent";
inline constexpr const char* kCliAgent = "cli_agent";
inline constexpr const char* kRemoteCliAgent = "remote_cli_agent";
inline constexpr const char* kExpertAnalysis = "expert_analysis";

// supervisor_node says which agent is next: that of the tool, or the one that the last agent has
// asked for. A workflow that is done and names a next tool goes over to it.
Task<SupervisorResult> supervisor_node(SupervisorContext& context);

// model_selection_node chooses as choose_name does, and keeps why.
Task<SupervisorResult> model_selection_node(SupervisorContext& context);

// file_processing_node reads the files that the request and the conversation name, newest first,
// until the budget is spent, and finds the images that the model is to see. It says of each file
// and image that it has left out why.
Task<SupervisorResult> file_processing_node(SupervisorContext& context);

// simple_tool_agent_node answers a tool of one prompt.
Task<SupervisorResult> simple_tool_agent_node(SupervisorContext& context);

// cli_agent_node runs the next command, once. A person is asked where that is due.
Task<SupervisorResult> cli_agent_node(SupervisorContext& context);

// add_unknown_result says of the next command that it may have run.
void add_unknown_result(SupervisorState& state);

// remote_cli_agent_node runs the next command on another machine, once, where a person approves it.
Task<SupervisorResult> remote_cli_agent_node(SupervisorContext& context);

// expert_analysis_node has a model judge what was found.
Task<SupervisorResult> expert_analysis_node(SupervisorContext& context);

// tool_of returns the tool of a state that supervisor_node has let through.
const ToolSpec& tool_of(const SupervisorState& state);

// steps_are_users returns whether the user makes the steps of this request.
bool steps_are_users(const SupervisorState& state);

// failed_answer returns the answer of a request that cannot be answered.
Answered failed_answer(const SupervisorState& state, std::string why);

}  // namespace plumbline::agents::supervisor
