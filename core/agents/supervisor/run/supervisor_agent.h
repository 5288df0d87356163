// The supervisor as an agent: one call of a tool is one request.
//
// A request is {"tool": "debug", "arguments": {...}}, as a client of MCP calls a tool; any other
// text is a prompt for `chat`. Requests of one conversation know what was said before. Where a
// workflow wants its next step its review has the type "step", and the arguments of the next call
// are the answer; where a command wants a person, {"approve"} is. See check_supervisor_answer().

#pragma once

#include "core/agents/agent.h"

namespace plumbline::agents {

// supervisor_agent returns the one supervisor.
const Agent& supervisor_agent();

}  // namespace plumbline::agents
