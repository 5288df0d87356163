// Completion: spec, server/utilities/completion.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks completion_checks() { return {}; }

}  // namespace plumbline::conformance
