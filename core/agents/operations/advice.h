// Advice is what a language model has to say where words decide otherwise: which of some options a
// request means. It proposes and no more. What may run, and what a person has to approve, is
// decided by code that does not know of it.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/base/task.h"
#include "core/base/time.h"
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

}  // namespace plumbline::agents
