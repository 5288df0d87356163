// The parts of a prompt, before they are put together: each can be made smaller by itself.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/agents/supervisor/prompt/question.h"
#include "core/agents/supervisor/state/supervisor_state.h"
#include "core/model/model.h"

namespace plumbline::agents::supervisor {

struct PromptTurn {
  model::Role role = model::Role::kUser;
  std::string text;
};

struct PromptFile {
  std::string path;
  std::string text;        // With line numbers.
  std::int64_t lines = 0;  // Of the whole file.
  bool named = true;       // Itself, and not by a folder or a pattern.

  // cut keeps whole lines of at most `bytes_max` bytes, and returns how many.
  std::int64_t cut(std::size_t bytes_max);
};

struct PromptParts {
  std::string role;
  std::vector<PromptTurn> turns{};
  std::string task;
  std::string what;
  std::vector<std::string> steps{};
  std::string findings;
  std::vector<std::string> outputs{};
  std::vector<std::string> opinions{};
  std::vector<PromptFile> files{};
  std::vector<std::string> not_given{};  // Of the state: files left out, what was not read.
  std::vector<std::string> left_out{};   // Of the fitting.
  std::string form;

  // cut_output and cut_step shorten one to its head and tail, or its beginning. They return whether
  // it was longer.
  bool cut_output(std::size_t index, std::size_t bytes_max);
  bool cut_step(std::size_t index, std::size_t bytes_max);

  std::string last_message() const;
  std::int64_t tokens() const;
};

PromptParts parts_of(const SupervisorState& state, const Question& question);

// numbered returns a text with the number of each line and a tab in front of it.
std::string numbered(std::string_view text);

}  // namespace plumbline::agents::supervisor
