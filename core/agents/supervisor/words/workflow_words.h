// What a workflow has come to, in words: for whoever called it, and for the model that goes on.

#pragma once

#include <cstddef>
#include <string>

#include "core/agents/supervisor/state/supervisor_state.h"

namespace plumbline::agents::supervisor {

// summary_of says in a sentence how far a workflow has come.
std::string summary_of(const Workflow& workflow);

// findings_text returns the findings, a line each, the gravest first; "" where there are none.
std::string findings_text(const Workflow& workflow);

// step_text returns one step: its number, who made it, how sure it is, and at most `bytes_max`
// bytes of its text.
std::string step_text(const StepRecord& step, std::size_t bytes_max);

// steps_text returns all steps, one after the other.
std::string steps_text(const Workflow& workflow, std::size_t bytes_max);

// plan_text returns the plan that steps make: each in its order, a revised one in place of the one
// that it revises, each branch under its name. plan_json returns the same as data:
// [{"number", "text", "branch"?, "revises"?}].
std::string plan_text(const Workflow& workflow);
Json plan_json(const Workflow& workflow);

// calls_text returns the findings that have "from" and "to" as an indented tree, each call once;
// a circle ends with a mark. "" where there are none.
std::string calls_text(const Workflow& workflow);

// assembled_text puts the steps of `tool` together where no model has the last word.
std::string assembled_text(const std::string& tool, const Workflow& workflow);

}  // namespace plumbline::agents::supervisor
