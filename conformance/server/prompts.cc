// Prompts: spec, server/prompts.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks prompts_checks() { return {}; }

}  // namespace plumbline::conformance
