// The stdio transport: spec, basic/transports.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks stdio_checks() { return {}; }

}  // namespace plumbline::conformance
