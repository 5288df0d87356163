// server/discover: spec, server/discover.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks discover_checks() { return {}; }

}  // namespace plumbline::conformance
