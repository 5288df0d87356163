// Whether a tool that updates something keeps what it is not told: of things that are there
// already, which other tools read.

#pragma once

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

// keeps_what_is_left_out updates a thing by a part of what may be told of it, reads it again, and
// tells the tool all that there was before; what had little is filled first, and stays so. Blamed
// is what was emptied, twice: a value may follow from another.
Task<Finding> keeps_what_is_left_out(Probe& probe);

// brings_back_what_was does with one tool what another takes back, by their names: archive and
// unarchive, discard and restore. Blamed is what was emptied then, and what was counted beyond
// where it was before.
Task<Finding> brings_back_what_was(Probe& probe);

}  // namespace plumbline::conformance
