// Lists in pages: spec, server/utilities/pagination.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks pagination_checks() { return {}; }

}  // namespace plumbline::conformance
