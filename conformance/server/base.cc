// What every part of the protocol shares: _meta, icons, encoding. Spec, basic.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks base_checks() { return {}; }

}  // namespace plumbline::conformance
