// Whether a tool that updates something keeps what it is not told: of things that are there
// already, which other tools read.

#pragma once

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

// known_params returns the params of a call of a tool that went well, or of one that may, with
// values that the server has shown: where it was called, what it needs may have been gone already,
// or not been known. Null: there are none.
Json known_params(Probe& probe, const Exercise& exercise, const Json& tool);

// keeps_what_is_left_out updates a thing by a part of what may be told of it, reads it again, and
// writes back what was there. Blamed is what was emptied, twice: a value may follow from another.
Task<Finding> keeps_what_is_left_out(Probe& probe);

}  // namespace plumbline::conformance
