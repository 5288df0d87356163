#include "core/agents/all/agents.h"

#include <array>

#include "core/agents/chat/chat_agent.h"
#include "core/agents/command_line/command_line_agent.h"
#include "core/agents/operations/operations_agent.h"
#include "core/agents/supervisor/run/supervisor_agent.h"

namespace plumbline::agents {

std::span<const Agent* const> all_agents() {
  static const std::array kAgents = {
      &operations_agent(),
      &chat_agent(),
      &command_line_agent(),
      &supervisor_agent(),
  };
  return kAgents;
}

const Agent& default_agent() { return *all_agents().front(); }

const Agent* find_agent(std::string_view name) {
  for (const Agent* const agent : all_agents()) {
    if (agent->name() == name) return agent;
  }
  return nullptr;
}

std::string agent_names() {
  std::string names;
  for (const Agent* const agent : all_agents()) {
    names += (names.empty() ? "" : ", ") + std::string(agent->name());
  }
  return names;
}

}  // namespace plumbline::agents
