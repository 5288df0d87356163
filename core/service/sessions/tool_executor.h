// The execution of a tool: is the tool there, are the arguments good, what does the worker make of
// it.

#pragma once

#include "core/mcp/server/server_call.h"
#include "core/service/sessions/mcp_door.h"
#include "core/service/sessions/session.h"

namespace plumbline::service {

// execute_tool answers one tools/call. `session` must outlive the Task.
Task<mcp::Reply<Json>> execute_tool(Session& session, Codes codes, mcp::ServerCall call);

}  // namespace plumbline::service
