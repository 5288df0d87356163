// Resources: spec, server/resources.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks resources_checks() { return {}; }

}  // namespace plumbline::conformance
