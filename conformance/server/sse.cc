// HTTP with SSE, the transport of 2024-11-05: spec, basic/transports.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks sse_checks() { return {}; }

}  // namespace plumbline::conformance
