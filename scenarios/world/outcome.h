// What came of a run, for whoever writes a scenario and looks what to expect of it.

#pragma once

#include <string>

#include "core/json/json.h"
#include "core/json/redactor.h"
#include "scenarios/world/expectations.h"

namespace plumbline::scenarios {

// outcome_of returns what came of a run in the words of a scenario's "expect": "status" and
// "response" of the last request, "errors", "requests" by method, "effects" by "server/tool",
// "approvals_asked" and "virtual_ms"; and "faults", how many struck by name. Secrets are taken out.
// Where the state is null, the run has several users, and the answers are left out: add_user adds
// what the user `name` was told, and how often they were asked, to "users".
Json outcome_of(const Observed& observed, const Redactor& redactor);
void add_user(Json& outcome, const std::string& name, const Observed& observed,
              const Redactor& redactor);

}  // namespace plumbline::scenarios
