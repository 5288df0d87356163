// CommandState is what the command-line agent knows: what is to be run, and what came of it so far.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/agents/command_line/rules/command_policy.h"
#include "core/base/result.h"
#include "core/json/json.h"

namespace plumbline::agents::command_line {

struct CommandState {
  struct Update;

  // What was asked for, as the tool cli_execute has it.
  std::vector<std::string> commands;
  std::string folder;
  Json env = Json::object();
  std::optional<std::int64_t> timeout_ms;
  bool shell = false;
  std::string who;  // For the audit log.

  std::vector<Json> results;  // Of the first so many commands: see to_json(CommandResult).
  std::string approved;       // Digest of the next one, that a person has approved; empty: none.
  std::vector<std::string> remembered;  // Digests that are approved for the rest of this thread.
  std::string next = "check_command";   // The node to go on with.
  std::vector<std::string> errors;
  Json final_output;  // null until the end.

  // apply is the reducer: results, remembered and errors are appended, the rest is replaced.
  void apply(Update&& update);

  static constexpr std::int64_t kVersion = 2;
  Json to_json() const;
  static Result<CommandState> from_json(const Json& saved);

  // done returns whether no command is left.
  bool done() const { return results.size() >= commands.size(); }

  // request returns the next command, which must be there.
  CommandRequest request() const;
};

struct CommandState::Update {
  std::vector<Json> results;
  std::optional<std::string> approved;
  std::vector<std::string> remembered;
  std::optional<std::string> next;
  std::vector<std::string> errors;
  std::optional<Json> final_output;

  Json to_json() const;
  static Result<Update> from_json(const Json& saved);
};

// command_state_of reads a request: one command line as it stands, or, where it begins with "{",
// the arguments of cli_execute: {"commands": [...], "working_directory", "timeout" (seconds),
// "env_vars", "shell"}. kInvalidInput says what is wrong in one line.
Result<CommandState> command_state_of(std::string_view input);

}  // namespace plumbline::agents::command_line
