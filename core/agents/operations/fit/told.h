// Told says what a request tells a tool by its properties: a choice, a flag, an action.

#pragma once

#include <string>

#include "core/agents/operations/fit/offered.h"
#include "core/agents/operations/fit/wish.h"
#include "core/agents/operations/request/extraction.h"
#include "core/connector/capability.h"

namespace plumbline::agents {

// is_chosen returns whether all that a later clause says of how it wants something is a choice that
// the tool is given: "and give me the amounts in metric", of convert=metric.
bool is_chosen(const Wish::Demand& demand, const connector::Capability& tool,
               const Offered& offered);

// is_told_by_property returns whether all that a later clause says is what a property is called:
// "Yes, I confirm that", of confirm.
bool is_told_by_property(const Wish::Demand& demand, const Offered& offered);

// is_told_by_action returns whether a tool that does many things is given the action that is asked
// for: "make a project" of action=create.
bool is_told_by_action(const Wish::Demand& demand, const connector::Capability& tool,
                       const Extraction& extraction);

// changes_by_action_only returns whether a tool that does many things is called after other things
// than the one that is to be changed: "delete the project" of one for tasks, which takes the
// project of a task.
bool changes_by_action_only(const Wish::Demand& demand, const connector::Capability& tool,
                            const Offered& offered);

// only_says_in_use returns whether a word says no more of what is asked for than that it is there:
// "which version is running?"
bool only_says_in_use(const Wish::Demand& demand, const std::string& word);

// only_counts returns whether a tool only tells how many there are, and that is not asked: "who
// mails me the most?", or "the emails of May", of count_emails.
bool only_counts(const Wish::Demand& demand, const ToolWords& words);

// is_named_for_a_deed returns whether things are asked for that are a verb in the singular, and the
// tool does that: "the flags on letter 9" of flag_letter.
bool is_named_for_a_deed(const Wish::Demand& demand, const ToolWords& words);

// is_left_untold returns whether something is to be changed that only a property of the tool speaks
// of, and that property is not given: "emulate a slow network" without a value for networkSpeed.
bool is_left_untold(const Wish::Demand& demand, const Offered& offered);

// runs_something_else returns whether a quoted command is to be run by a tool that takes none: 'run
// "ls -l" in the box' of run_box.
bool runs_something_else(const Wish& wish, const ToolWords& words);

// is_named_for_finding_out returns whether a tool is called after finding something out, and
// something is to be done: "create an invoice" of query, "share the notebook" of ask_question.
bool is_named_for_finding_out(const Wish::Demand& demand, const ToolWords& words);

// compares_one returns whether a tool that compares several things is given one of them.
bool compares_one(const ToolWords& words, const Extraction& extraction);

}  // namespace plumbline::agents
