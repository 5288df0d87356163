// Cancelled requests: spec, basic/utilities/cancellation and basic/patterns/cancellation.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks cancellation_checks() { return {}; }

}  // namespace plumbline::conformance
