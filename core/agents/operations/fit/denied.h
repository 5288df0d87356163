// What a description says that a tool is not for: "Do not use for museums or shops."

#pragma once

#include "core/agents/operations/fit/wish.h"
#include "core/connector/capability.h"

namespace plumbline::agents {

// is_denied returns whether all words of the first thing that `demand` wants stand in what the tool
// says it is not for.
bool is_denied(const Wish::Demand& demand, const connector::Capability& tool);

}  // namespace plumbline::agents
