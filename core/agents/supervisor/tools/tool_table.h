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
  bool asks_expert = true;         // Of a workflow: a model has the last word.
};

// all_tools returns the sixteen tools: the simple ones, then the workflows.
std::span<const ToolSpec> all_tools();

// command_tools returns cli_execute and remote_cli, which the supervisor routes beside them.
std::span<const ToolSpec> command_tools();

// find_tool returns the tool of that name, the two of command lines included. kInvalidInput: there
// is none, and the message lists those that there are.
Result<const ToolSpec*> find_tool(std::string_view name);

// input_schema returns the JSON Schema of a tool's arguments.
Json input_schema(const ToolSpec& tool);

// mcp_tool returns the tool as tools/list has it: name, title, description, inputSchema and
// annotations.
Json mcp_tool(const ToolSpec& tool);

}  // namespace plumbline::agents::supervisor
