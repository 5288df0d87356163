// subscriptions/listen: spec, basic/patterns/subscriptions.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks subscriptions_checks() { return {}; }

}  // namespace plumbline::conformance
