// What a server asks of the user: spec, client/elicitation.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks elicitation_checks() { return {}; }

}  // namespace plumbline::conformance
