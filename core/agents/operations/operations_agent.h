// The operations assistant as an Agent.

#pragma once

#include "core/agents/agent.h"

namespace plumbline::agents {

const Agent& operations_agent();

}  // namespace plumbline::agents
