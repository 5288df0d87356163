// Warnings tell what a scenario file may say and hardly means: a method that MCP does not have, a
// tool that nobody offers, an event of nobody, a rule that never does anything.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/events/check_result.h"
#include "scenarios/format/scenario.h"

namespace plumbline::scenarios {

// Where returns where the value of an RFC 6901 pointer stands: "file:line:column".
using Where = std::function<std::string(const std::string& pointer)>;

// add_warnings fills `warnings` and `rules` of a scenario that was read.
void add_warnings(Scenario& scenario, const Where& where);

// idle_rules returns a line for each rule that was not used and is no trap. `used` is by the index
// of Scenario::rules.
std::vector<std::string> idle_rules(const Scenario& scenario, const std::vector<bool>& used);

// add_doubts tells `doubts` in a row, a line each: a pass is a warning then; `strict`: a failure.
void add_doubts(const std::vector<std::string>& doubts, bool strict, CheckResult& row);

// add_unjudged names in a row of runs what only the worlds of a sweep can show.
void add_unjudged(const Scenario& scenario, CheckResult& row);

}  // namespace plumbline::scenarios
