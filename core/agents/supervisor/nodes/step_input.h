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
};

// read_step reads the arguments of a workflow tool: "step", "step_number", "total_steps" and
// "next_step_required" must be there. kInvalidInput says in one line what is wrong where.
Result<StepInput> read_step(const Json& arguments);

// read_model_step reads a step that a model has written as JSON, alone or with words around it. It
// needs no numbers: it is step `number`. A text without JSON is a step of that text, the last one.
StepInput read_model_step(const std::string& said, std::int64_t number);

// record makes `step` the one under way. One that goes back forgets the steps from there on, and
// what they have found, first.
void record(StepInput step, Workflow& workflow);

// validate takes over what the step under way has found: each with a text, a line only where there
// is a file, a known severity, and not twice. Returns a line for each that it has refused.
std::vector<std::string> validate(Workflow& workflow);

// wants_expert returns whether a model has the last word on a workflow that is done: unless it is
// certain, or nothing was found, or the tool asks none.
bool wants_expert(const ToolSpec& tool, const Workflow& workflow);

// actions_after returns what the user is to do before the next step.
std::vector<std::string> actions_after(const ToolSpec& tool, const Workflow& workflow);

// summary_of says in text what a workflow has found.
std::string summary_of(const Workflow& workflow);

}  // namespace plumbline::agents::supervisor
