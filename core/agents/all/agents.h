// The agents that this build has, a line of agents.cc each.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/agents/agent.h"

namespace plumbline::agents {

// all_agents returns every agent; the first is the one that is meant where none is named.
std::span<const Agent* const> all_agents();
const Agent& default_agent();

// find_agent returns the agent of that name, nullptr when there is none.
const Agent* find_agent(std::string_view name);

// agent_names returns all names, for messages: "a, b".
std::string agent_names();

}  // namespace plumbline::agents
