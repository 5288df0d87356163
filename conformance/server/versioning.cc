// Revisions and how peers agree on one: spec, basic/lifecycle and basic/versioning.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks versioning_checks() { return {}; }

}  // namespace plumbline::conformance
