// How the nodes put something to a model.

#pragma once

#include <string>
#include <string_view>

#include "core/agents/supervisor/nodes/supervisor_nodes.h"
#include "core/model/model.h"

namespace plumbline::agents::supervisor {

// evidence_of returns what a model may see beside the question: files, results of commands,
// findings and opinions. It is information, and says so.
std::string evidence_of(const SupervisorState& state);

// prompt_of returns the conversation so far, with `role` in front and `question` at its end.
model::Prompt prompt_of(const SupervisorState& state, std::string_view role, std::string question);

// ask_model asks the model `name`, again where it was not to be reached. One that is not on the
// shelf is kInvalidRequest.
Task<model::Completed> ask_model(SupervisorContext& context, std::string name,
                                 model::Prompt prompt);

}  // namespace plumbline::agents::supervisor
