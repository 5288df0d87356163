// Advice is what a language model has to say where words decide otherwise: which of some options a
// request means, and which arguments it gives. It proposes and no more. What may run, and what a
// person has to approve, is decided by code that does not know of it.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/base/task.h"
#include "core/base/time.h"
#include "core/json/json.h"
#include "core/model/model.h"

namespace plumbline::agents {

// kChoicesMax is how many options a model is shown: the first.
inline constexpr std::size_t kChoicesMax = 100;

struct Choice {
  struct Option {
    std::string name;  // No two have the same.
    std::string what;  // For the model: what it is.
  };
  std::string question;  // "Which of these ... ?"
  std::string request;   // The user's words.
  std::vector<Option> options;
  std::string traceparent{};  // As Prompt has it.
};

// advise asks `model`, once, and returns the option that it names. Nothing: it failed, was not
// there by `deadline`, or said anything else. What servers say of themselves goes before it
// clipped, and as material. `model` must outlive the task.
Task<std::optional<std::size_t>> advise(model::Model& model, Choice choice, Instant deadline);

// Filling is a call that wants arguments.
struct Filling {
  std::string tool;  // Its name.
  std::string what;  // What it says that it does.
  Json schema;       // Of its arguments.
  std::string request;
  std::string traceparent{};  // As Prompt has it.
};

// advise_arguments asks `model`, once, which arguments the request gives to the tool, and returns
// the object that it names, which may hold anything. Nothing: as advise; or the schema is longer
// than a model is shown.
Task<std::optional<Json>> advise_arguments(model::Model& model, Filling filling, Instant deadline);

}  // namespace plumbline::agents
