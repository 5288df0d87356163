// What a server lists, and nothing else: it is opened, asked for its lists, and left in order.

#pragma once

#include <string>

#include "conformance/checks/server/survey.h"
#include "conformance/peer/subject.h"
#include "core/base/task.h"

namespace plumbline::conformance {

// take_lists opens `subject`, which must outlive the task, in the newest stateful revision, or the
// stateless one where it knows no other. kDisconnected: it cannot be opened; the message says why.
Task<Result<Survey>> take_lists(Subject& subject);

}  // namespace plumbline::conformance
