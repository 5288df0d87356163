// Whether several processes of a server run at a time: some end those before them, some hold a port
// or a file that a second one wants, too.

#pragma once

#include <string>

#include "conformance/peer/subject.h"
#include "core/base/task.h"

namespace plumbline::conformance {

// runs_one_at_a_time tries two processes of a subject over stdio, and one alone behind them. True:
// of the two one did not answer, and the one alone did. `revision` is one that it accepts.
Task<bool> runs_one_at_a_time(Subject& subject, std::string revision);

}  // namespace plumbline::conformance
