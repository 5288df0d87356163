// The graph of the command-line agent: each command is checked, asked about where that is due, and
// run once.

#pragma once

#include <cstddef>
#include <string>

#include "core/agents/command_line/command_desk.h"
#include "core/agents/command_line/command_state.h"
#include "core/graph/graph.h"

namespace plumbline::agents::command_line {

// CommandServices is what the nodes work with. It must outlive the run.
struct CommandServices {
  CommandDesk* desk = nullptr;  // Null: no commands are run here.
};

using CommandGraph = graph::Graph<CommandState, CommandServices>;

inline constexpr std::string_view kCheckCommand = "check_command";
inline constexpr std::string_view kAskPerson = "ask_person";
inline constexpr std::string_view kRunCommand = "run_command";
inline constexpr std::string_view kAnswer = "answer";

// command_graph returns the one graph. A node notes a command before it runs it: one that was noted
// and has no result is not run again, and its outcome is unknown.
const CommandGraph& command_graph();

// question_of is what a person is asked about the command of this number in its request; `judged`
// says why an answer before did not count.
Json question_of(const Prepared& prepared, std::size_t number, const approvals::Judged& judged);

// is_altered returns whether a line that was approved is not there any more as it was: its state
// was kept, and a secret taken out. It must not run, and altered() is what is said of it.
bool is_altered(const std::string& line, const approvals::Judged& judged);
Refusal altered();

// unknown_result is what is said of a command that may have run.
Json unknown_result(const std::string& line);

// final_output_of returns {"status", "response", "errors", "selected_capability", "cli_results"} of
// a state that goes no further. "needs_review": something was blocked, or its outcome is unknown;
// "failed": something was wrong or went wrong.
Json final_output_of(const CommandState& state);

}  // namespace plumbline::agents::command_line
