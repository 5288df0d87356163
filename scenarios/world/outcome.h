// What came of a run, for whoever writes a scenario and looks what to expect of it.

#pragma once

#include "core/json/json.h"
#include "core/json/redactor.h"
#include "scenarios/world/expectations.h"

namespace plumbline::scenarios {

// outcome_of returns what came of a run in the words of a scenario's "expect": "status" and
// "response" of the last request, "errors", "requests" by method, "effects" by "server/tool",
// "approvals_asked" and "virtual_ms"; and "faults", how many struck by name. Secrets are taken out.
Json outcome_of(const Observed& observed, const Redactor& redactor);

}  // namespace plumbline::scenarios
