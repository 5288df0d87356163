// Streamable HTTP: spec, basic/transports.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks http_checks() { return {}; }

}  // namespace plumbline::conformance
