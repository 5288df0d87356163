// What a stateless request repeats in its headers.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks http_headers_checks() { return {}; }

}  // namespace plumbline::conformance
