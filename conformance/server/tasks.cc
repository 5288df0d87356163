// Tasks: spec, basic/utilities/tasks and the tasks extension.

#include "conformance/server/check.h"

namespace plumbline::conformance {

ServerChecks tasks_checks() { return {}; }

}  // namespace plumbline::conformance
