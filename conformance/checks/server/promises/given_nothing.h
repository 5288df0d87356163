// Whether 0 and false are taken for what they are, and not for an argument that was left out.

#pragma once

#include "conformance/checks/server/probe.h"
#include "core/base/task.h"

namespace plumbline::conformance {

// keeps_given_nothing makes things with 0 or false where their schemas allow that, and looks at
// what the tools that make them answer.
Task<Finding> keeps_given_nothing(Probe& probe);

// is_made_as_given makes things, and reads them with another tool; then that. It is in
// tools_made.cc.
Task<Finding> is_made_as_given(Probe& probe);

}  // namespace plumbline::conformance
