// A quiet moment: what a subject has still to say is heard in it.

#pragma once

#include "core/base/task.h"

namespace plumbline::conformance {

class Subject;

// quiet_moment passes as long as the subject's Pace says. It ends sooner where that was long only
// because processes were starting: a quiet moment after they have. `subject` must outlive it.
Task<void> quiet_moment(Subject& subject);

}  // namespace plumbline::conformance
