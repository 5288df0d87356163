// Log messages: spec, server/utilities/logging.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks logging_checks() { return {}; }

}  // namespace plumbline::conformance
