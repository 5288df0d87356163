// The chat agent: a conversation with a language model that uses the tools of MCP servers.

#pragma once

#include "core/agents/agent.h"

namespace plumbline::agents {

// chat_agent answers with Surroundings::model; without one every request fails. The requests of one
// session are the turns of one conversation.
const Agent& chat_agent();

}  // namespace plumbline::agents
