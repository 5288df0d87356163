// Attacks that a server has to withstand: spec, security considerations of each page.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks security_checks() { return {}; }

}  // namespace plumbline::conformance
