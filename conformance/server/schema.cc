// The shapes of messages: spec, schema.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks schema_checks() { return {}; }

}  // namespace plumbline::conformance
