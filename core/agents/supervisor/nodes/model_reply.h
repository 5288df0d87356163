// What a model says when it makes the steps of a workflow: words for a person, and at their end
// perhaps one block in which it asks for something.

#pragma once

#include <cstdint>
#include <string>

#include "core/agents/supervisor/nodes/step_input.h"

namespace plumbline::agents::supervisor {

// read_model_step reads a reply. A request block is a JSON object with none but the members that a
// step has ("files", "commands", "findings", "confidence", "next_step_required", "next_tool",
// "step"). It stands at the end of the reply: fenced, on lines of its own, or as the whole of it.
// Whatever else has braces is text, and all text is kept.
//
// It needs no numbers: it is step `number`. A reply without a block is the last step, and its text
// the answer. What of a block cannot be read is told in `problems`, and the rest of it counts.
StepInput read_model_step(const std::string& said, std::int64_t number);

}  // namespace plumbline::agents::supervisor
