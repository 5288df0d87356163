// StepInput is one step of a workflow, as a user or a model has made it, and what it does to the
// workflow. Nothing here waits.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/agents/supervisor/state/supervisor_state.h"
#include "core/agents/supervisor/tools/tool_table.h"
#include "core/base/result.h"
#include "core/json/object_reader.h"

namespace plumbline::agents::supervisor {

inline constexpr std::int64_t kWorkflowStepsMax = 100;
inline constexpr std::size_t kStepFindingsMax = 100;
inline constexpr std::size_t kStepCommandsMax = 16;

struct StepInput {
  std::string text;
  std::int64_t number = 1;
  std::int64_t total = 1;
  bool next_required = false;
  std::vector<Json> findings{};
  std::optional<Confidence> confidence{};  // Nothing: it is what it was.
  std::optional<std::int64_t> backtrack_from{};
  std::vector<std::string> commands{};
  std::vector<std::string> files{};
  std::string next_tool{};
  std::string by{};      // The model that made it; empty: the caller.
  std::string branch{};  // As StepRecord has them.
  std::int64_t branch_from = 0;
  std::int64_t revises = 0;
  std::vector<std::string> files_done{};
  bool last_words = false;  // Of a model: its text asks for nothing more, and is the answer.
  std::vector<std::string> problems{};  // What of it could not be read, a sentence each.
};

// read_step reads the arguments of a workflow tool: "step", "step_number", "total_steps" and
// "next_step_required" must be there. kInvalidInput says in one line all that is wrong, each with
// its name in front.
Result<StepInput> read_step(const Json& arguments);

// read_common reads what a step may have, whoever made it.
void read_common(ObjectReader& reader, StepInput& out);

// record makes `step` the one under way. One that goes back forgets the steps from there on, and
// what they have found, first.
void record(StepInput step, Workflow& workflow);

// validate takes over what the step under way has found: each with a text, a line only where there
// is a file, a known severity, and not twice. Returns a line for each that it has refused.
std::vector<std::string> validate(Workflow& workflow);

// final_part returns how a workflow of `tool` ends that is done with `arguments`: as the tool says,
// unless it is certain, or "use_assistant_model" says otherwise. `users` are the caller's steps.
FinalPart final_part(const ToolSpec& tool, const Workflow& workflow, const Json& arguments,
                     bool users);

// files_left returns which of `files` no step of docgen has documented. A step may name them by the
// end of their path.
std::vector<std::string> files_left(const std::vector<std::string>& files,
                                    const Workflow& workflow);

// actions_after returns what the user is to do before the next step.
std::vector<std::string> actions_after(const ToolSpec& tool, const Workflow& workflow);

}  // namespace plumbline::agents::supervisor
