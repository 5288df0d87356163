// Whether a tool that counts and one that lists speak of as many.

#pragma once

#include "conformance/checks/server/probe.h"
#include "core/base/task.h"

namespace plumbline::conformance {

// counts_agree compares tools that need no arguments and that leave out the same, by their words.
Task<Finding> counts_agree(Probe& probe, Client client);

}  // namespace plumbline::conformance
