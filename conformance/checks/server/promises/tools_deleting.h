// Whether a tool that says that it destroys nothing deletes.

#pragma once

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

// destroys_nothing judges tools with destructiveHint: false: by what their own description says,
// and by calls of tools that only read, which answer no more when such a tool was called with the
// same id.
Task<Finding> destroys_nothing(Probe& probe);

}  // namespace plumbline::conformance
