// The answer to a call, as its caller reads it: what was said for a person, as Markdown, and the
// same as data for a program.

#pragma once

#include <string>

#include "core/agents/supervisor/state/supervisor_state.h"

namespace plumbline::agents::supervisor {

// answer_text returns what has come of a request that has ended: why it failed, the answer itself,
// then, where there is something, the parts of tools that handed over, the steps that a model made,
// findings, opinions, commands with their output, and what was not looked at.
std::string answer_text(const SupervisorState& state);

// add_answer_fields adds to `out` what answer_text says, as data: "outcome", "findings", "steps",
// "commands", "files", "model", "expert", "opinions", "usage", "plan", "artifacts", "error".
void add_answer_fields(const SupervisorState& state, Json& out);

// artifacts_in returns the code blocks of a text that are labelled with a path:
// [{"path", "text", "what"}].
Json artifacts_in(const std::string& text);

// footer_of returns the last line of an answer: its thread, model, tokens and cost.
std::string footer_of(const Json& answer);

// cut_text returns a text of at most `bytes_max`, cut in its middle, with a line that says so.
std::string cut_text(std::string text, std::size_t bytes_max);

}  // namespace plumbline::agents::supervisor
