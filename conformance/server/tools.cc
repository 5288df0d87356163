// Tools: spec, server/tools.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks tools_checks() { return {}; }

}  // namespace plumbline::conformance
