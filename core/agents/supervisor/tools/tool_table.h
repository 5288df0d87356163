// The sixteen tools of the supervisor as data: what an MCP client is told of each, what a model is
// told to do in it, and how its work ends. One engine runs them all.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/json/json.h"

namespace plumbline::agents::supervisor {

enum class ToolKind {
  kSimple,    // One prompt, one answer.
  kWorkflow,  // Steps, findings, confidence; it returns to its user between steps.
  kCommand,   // Command lines on this machine.
  kRemote,    // Command lines on another one.
};

// Input names the schema of a tool's arguments.
enum class ToolInput { kNothing, kPrompt, kSteps, kVoices, kCommands, kRemoteCommands };

// FinalPart is how a workflow ends.
enum class FinalPart {
  kNone,
  kJudge,     // A model judges what was found: confirms, refutes, adds, concludes.
  kWrite,     // A model writes what the tool is named for.
  kAssemble,  // The steps are put together, and no model is asked.
};

// ToolSpec is one tool. Everything it points to lives as long as the program.
struct ToolSpec {
  std::string_view name;
  std::string_view title;
  std::string_view description;  // One or two sentences, as tools/list tells them.
  ToolKind kind = ToolKind::kSimple;
  ToolInput input = ToolInput::kPrompt;
  std::string_view role;      // The system prompt of a model in this tool; empty: none is asked.
  std::string_view asks_for;  // Of a workflow: which findings it wants.
  std::string_view finished_when;  // Of a workflow: when its user should say that no step is next.
  std::string_view form;           // The headings of its answer, as a model is told them.
  FinalPart asked = FinalPart::kNone;    // Of a workflow: its end where a model makes the steps,
  FinalPart stepped = FinalPart::kNone;  // and where the caller does.
};

// all_tools returns the sixteen tools: the simple ones, then the workflows.
std::span<const ToolSpec> all_tools();

// command_tools returns cli_execute and remote_cli, which the supervisor routes beside them.
std::span<const ToolSpec> command_tools();

// find_tool returns the tool of that name, the two of command lines included. kInvalidInput: there
// is none, and the message lists those that there are.
Result<const ToolSpec*> find_tool(std::string_view name);

// ToolOffer says what of a tool is offered where.
struct ToolOffer {
  bool commands = false;  // Command lines run here: workflows take "commands".
};

// input_schema returns the JSON Schema of a tool's arguments.
Json input_schema(const ToolSpec& tool, const ToolOffer& offer);

// output_schema returns that of the answers of every tool but those that run commands.
Json output_schema();

// mcp_tool returns the tool as tools/list has it.
Json mcp_tool(const ToolSpec& tool, const ToolOffer& offer);

// renamed_arguments says of arguments that the tool knows under another name what that is, in one
// sentence; empty: there is none.
std::string renamed_arguments(const Json& arguments);

}  // namespace plumbline::agents::supervisor
