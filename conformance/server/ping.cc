// ping: spec, basic/utilities/ping.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks ping_checks() { return {}; }

}  // namespace plumbline::conformance
