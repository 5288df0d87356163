// How the execution of a tool ends: what is refused, what a worker answers, and how its result
// looks.

#pragma once

#include <string>

#include "core/mcp/protocol/failure.h"
#include "core/service/sessions/worker_desk.h"

namespace plumbline::service {

// invalid_session, tool_not_found and invalid_arguments are what seed 004 answers to what cannot be
// done: -32602 {"sessionId"}, -32601 {"toolName"}, -32602 {"errors": [{"path", "message"}]}. An
// empty `code`: no session was named.
mcp::Failure invalid_session(const std::string& code);
mcp::Failure tool_not_found(const std::string& name);
mcp::Failure invalid_arguments(Json errors);

// refusal_text says to people why a call could not be taken.
std::string refusal_text(WorkerDesk::Refusal refusal);

// worker_outcome reads what a worker answers: a result, of which {"success": true, "data": ...} and
// {"success": false, "error": "..."} mean what they say, or an error.
WorkerOutcome worker_outcome(Json result);
WorkerOutcome worker_failure(const Json& error);

// result_text is "✅ Tool executed successfully", an empty line and the result as JSON, or
// "❌ Tool execution failed: " and why.
std::string result_text(const WorkerOutcome& outcome);

// call_result is the result of tools/call: that text, with isError where the call failed. A worker
// whose result is one of MCP ({"content": [...]}) is taken at its word.
Json call_result(WorkerOutcome outcome);

}  // namespace plumbline::service
