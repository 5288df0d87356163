// What a model is told, in its order: the role; what was said in the thread; the task and what is
// to be done now; then, as information, the steps so far, the findings, the results of commands,
// the opinions, the files; what it was not given; and the form of the answer.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/agents/supervisor/prompt/question.h"
#include "core/agents/supervisor/state/supervisor_state.h"
#include "core/model/model.h"

namespace plumbline::agents::supervisor {

// BuiltPrompt is a prompt that fits.
struct BuiltPrompt {
  model::Prompt prompt;
  std::vector<std::string> left_out{};  // What had to go so that it fits, a sentence each.
  std::int64_t tokens = 0;              // Guessed.
  bool too_long = false;                // It does not fit, whatever goes.
};

// build_prompt returns the prompt with at most `budget_tokens`. What goes first: turns of the
// thread but the last two; files that a folder brought; outputs of earlier commands, to head and
// tail; files named themselves, in part; texts of earlier steps, to their beginning; the last
// output. The role, the task, the findings and the last step stay.
BuiltPrompt build_prompt(const SupervisorState& state, const Question& question,
                         std::int64_t budget_tokens);

}  // namespace plumbline::agents::supervisor
