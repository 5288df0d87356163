// Progress of requests: spec, basic/utilities/progress and basic/patterns/progress.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks progress_checks() { return {}; }

}  // namespace plumbline::conformance
