// The eleven nodes of the operations assistant. Each is a coroutine over its Context; which node
// follows is decided in operations_graph.cc from the state alone.

#pragma once

#include <cstddef>

#include "core/agents/agent.h"
#include "core/agents/operations/assistant_services.h"
#include "core/agents/operations/operations_state.h"
#include "core/graph/node.h"

namespace plumbline::agents {

using AssistantContext = graph::Context<OperationsState, AssistantServices>;
using AssistantResult = graph::NodeResult<OperationsState>;

// preprocess_request folds white space and refuses blank or over-long input.
Task<AssistantResult> preprocess_request(AssistantContext& context);

// classify_intent decides what kind of capability is asked for, if any.
Task<AssistantResult> classify_intent_node(AssistantContext& context);

// discover_capabilities asks the servers. Their problems become errors beside what was found.
Task<AssistantResult> discover_capabilities(AssistantContext& context);

// select_capability ranks the manifest once, and picks the best candidate not yet tried.
Task<AssistantResult> select_capability(AssistantContext& context);

// validate_capability checks policy, arguments, readability and filters of the selection.
Task<AssistantResult> validate_capability(AssistantContext& context);

// build_mcp_request makes the request of the validated call.
Task<AssistantResult> build_mcp_request(AssistantContext& context);

// invoke_mcp_capability sends it, with bounded retries where nothing can have happened twice.
Task<AssistantResult> invoke_mcp_capability(AssistantContext& context);

// integrate_result turns the result into context, or says why it cannot be trusted.
Task<AssistantResult> integrate_result(AssistantContext& context);

// answer_without_mcp and mark_needs_review are the ways out. The second interrupts when a person
// could approve the call.
Task<AssistantResult> answer_without_mcp(AssistantContext& context);
Task<AssistantResult> mark_needs_review(AssistantContext& context);

// generate_final_response writes final_output from what the state knows.
Task<AssistantResult> generate_final_response(AssistantContext& context);

// another_candidate returns the index of the best candidate that was not tried, that may run
// without approval and lacks no argument, one of the same name on another server before all others;
// the number of candidates when there is none.
std::size_t another_candidate(const OperationsState& state, const Policy& policy);

// has_namesake returns whether that one is of the same name.
bool has_namesake(const OperationsState& state, const Policy& policy);

// final_output_of builds the user-facing answer.
Json final_output_of(const OperationsState& state);

// end_of returns what a request that has ended came to.
Outcome::End end_of(const OperationsState& state);

}  // namespace plumbline::agents
