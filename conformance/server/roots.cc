// Roots: spec, client/roots.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks roots_checks() { return {}; }

}  // namespace plumbline::conformance
