// The voices of a consensus: which models are asked, and on which side.

#pragma once

#include <optional>
#include <string>

#include "core/agents/supervisor/nodes/model_question.h"

namespace plumbline::agents::supervisor {

// voices_of returns who is asked: those of the request, of the settings, or the default model on
// all three sides. Each is {"model", "stance", "stance_prompt"?}.
Json voices_of(const SupervisorState& state, const SupervisorServices& services);

// voices_trouble returns why they cannot be asked, before any is; nothing: they can.
std::optional<Trouble> voices_trouble(const Json& voices, const SupervisorServices& services);

}  // namespace plumbline::agents::supervisor
