// The command-line agent runs commands on this machine: one line, or what cli_execute is given.

#pragma once

#include "core/agents/agent.h"

namespace plumbline::agents {

// command_line_agent takes what command_line::command_state_of reads, and runs it at the desk of
// its Surroundings. A person answers {"approve", "reason"?, "remember"?} where it asks: see
// docs/command-lines.md. What died with its process is never run twice: its outcome is unknown.
const Agent& command_line_agent();

}  // namespace plumbline::agents
