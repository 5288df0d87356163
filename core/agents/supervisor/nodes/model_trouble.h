// Why a model has not answered, in a sentence, and what to do about it.

#pragma once

#include <cstdint>
#include <string>

#include "core/agents/supervisor/nodes/model_question.h"

namespace plumbline::agents::supervisor {

// trouble_of says it of a failure of the model `name`; `late`: all the time for an answer is over.
Trouble trouble_of(const model::Failure& failure, const SupervisorServices& services,
                   const std::string& name, bool late);

// too_long says that `tokens` are more than the `budget` of the model `name`, and which other
// models would take them.
Trouble too_long(const SupervisorServices& services, const std::string& name, std::int64_t tokens,
                 std::int64_t budget);

}  // namespace plumbline::agents::supervisor
