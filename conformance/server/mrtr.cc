// Requests that take several rounds: spec, basic/patterns/mrtr.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks mrtr_checks() { return {}; }

}  // namespace plumbline::conformance
