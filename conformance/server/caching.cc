// Hints for caches: spec, server/utilities/caching.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks caching_checks() { return {}; }

}  // namespace plumbline::conformance
