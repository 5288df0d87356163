// What a server that refuses initialize refuses it for: each capability is declared alone.
#pragma once

#include "conformance/peer/reply.h"
#include "conformance/peer/session.h"
#include "conformance/peer/subject.h"
#include "core/base/task.h"

namespace plumbline::conformance {

// withhold_what_is_refused finds out whether the server opens sessions to a client that declares
// less than `options` do, where initialize got `refusal`, and notes what it has to declare less.
Task<void> withhold_what_is_refused(Subject& subject, SessionOptions options, Reply refusal);

}  // namespace plumbline::conformance
