// CommandResult is what came of one command.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/json/json.h"

namespace plumbline::agents::command_line {

enum class CommandStatus {
  kSuccess,  // It ended with 0.
  kError,    // It ended otherwise, could not be started, or nobody knows how it ended.
  kBlocked,  // A rule or a person refused it: nothing ran.
  kTimeout,  // It was stopped because it took too long.
};

// name_of returns "success", "error", "blocked" or "timeout".
std::string_view name_of(CommandStatus status);

struct CommandResult {
  std::string command;  // The line.
  CommandStatus status = CommandStatus::kError;
  std::string out;  // Of stdout and stderr what OutputKeeper keeps.
  std::string err;
  std::optional<int> return_code;  // -15 for the end by signal 15. Nothing: it never ran or ended.
  std::int64_t duration_ms = 0;
  bool truncated = false;        // Of `out` or `err` something was cut.
  std::string error;             // Why it is not a success, in a sentence; empty for one.
  bool outcome_unknown = false;  // It may have run, to its end or not: not to be repeated.
};

// to_json returns {"command", "status", "stdout", "stderr", "return_code", "duration_ms",
// "truncated"}, "error" where there is one, and "outcome": "unknown" where nobody knows it. Bytes
// that are not UTF-8 are replaced by U+FFFD.
Json to_json(const CommandResult& result);

// result_from_json reads what to_json wrote; nothing where it is not that.
std::optional<CommandResult> result_from_json(const Json& json);

}  // namespace plumbline::agents::command_line
