// What a server asks of a model: spec, client/sampling.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks sampling_checks() { return {}; }

}  // namespace plumbline::conformance
