// Whether a tool takes what it gives to go on by: the number of the next page, a cursor.

#pragma once

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

// goes_on_as_given gives "next_page" of an answer to "page", "nextCursor" to "cursor", unchanged,
// until there is no more. Blamed is who refuses that, and who says at the end that there is more.
Task<Finding> goes_on_as_given(Probe& probe, Client client);

}  // namespace plumbline::conformance
