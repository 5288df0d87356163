// Whether a tool converts by the factor that its description states: "1 in = 2.54 cm". Blamed is
// one that answers with the number as it was given, and says the other unit beside it.

#pragma once

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

// converts_as_stated calls tools that state a factor between two of the units that they take. Skips
// where none does, or none answers with what it has converted.
Task<Finding> converts_as_stated(Probe& probe);

}  // namespace plumbline::conformance
