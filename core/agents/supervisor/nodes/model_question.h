// How the nodes put something to a model, and what comes of it.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/agents/supervisor/nodes/model_trouble.h"
#include "core/agents/supervisor/nodes/supervisor_nodes.h"
#include "core/agents/supervisor/prompt/model_prompt.h"
#include "core/model/model.h"

namespace plumbline::agents::supervisor {

// Said is what a model has said, or why it has not.
struct Said {
  std::string text;  // Also of an answer that was cut.
  std::optional<Trouble> trouble{};
  std::string model;
  model::Usage usage{};
  std::int64_t calls = 0;  // How often it was asked.
  std::int64_t cost_micros = 0;
  std::vector<std::string> left_out{};  // Of what it should have been given, a sentence each.
};

// ask_model asks the model `name`, again where it was not to be reached, or said nothing at all.
Task<Said> ask_model(SupervisorContext& context, std::string name, Question question);

// usage_json is what asking has cost; add_usage adds it up.
Json usage_json(const Said& said);
void add_usage(Json& usage, const Json& more);

// note_said keeps in `update` what a question has cost, and what was left out of it.
void note_said(const SupervisorState& state, const Said& said, SupervisorState::Update& update);

// failed_by makes `update` that of a request that ended with `trouble`.
void failed_by(const SupervisorState& state, const Trouble& trouble,
               SupervisorState::Update& update);

}  // namespace plumbline::agents::supervisor
