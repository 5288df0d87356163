// Why a model has not answered, in a sentence, and what to do about it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/agents/supervisor/supervisor_services.h"
#include "core/json/json.h"
#include "core/model/model.h"

namespace plumbline::agents::supervisor {

// Trouble is why something could not be done: "no_key", what happened and what to do about it.
struct Trouble {
  std::string code;
  std::string message;
  std::string advice{};
};
Json to_json(const Trouble& trouble);  // {"code", "message", "do"}.

// model_trouble returns why the model `name` cannot be asked; nothing: it can, as far as is known.
std::optional<Trouble> model_trouble(const SupervisorServices& services, const std::string& name);

// trouble_of says it of a failure of the model `name`; `late`: all the time for an answer is over.
Trouble trouble_of(const model::Failure& failure, const SupervisorServices& services,
                   const std::string& name, bool late);

// too_long says that `tokens` are more than the `budget` of the model `name`, and which other
// models would take them.
Trouble too_long(const SupervisorServices& services, const std::string& name, std::int64_t tokens,
                 std::int64_t budget);

}  // namespace plumbline::agents::supervisor
