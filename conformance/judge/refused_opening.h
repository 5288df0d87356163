// What a server is told of which nothing else can be judged, as it lets nobody open a session.

#pragma once

#include <string_view>

#include "conformance/catalogue/finding.h"
#include "conformance/peer/session.h"
#include "conformance/peer/subject.h"
#include "core/base/task.h"

namespace plumbline::conformance {

// OpeningFault is what is wrong with that. Without a rule: nothing that could be told to be its own
// doing.
struct OpeningFault {
  std::string_view rule;
  Finding finding;
};

// opening_fault looks at the answer to the initialize of `usual` and, where it was refused, asks
// the server what it does without one, and again. It may be right to refuse: who speaks the
// revision without sessions alone, who wants credentials or something else of its user, who is busy
// now. And it may be no server of MCP. `only`: no other revision was asked for.
Task<OpeningFault> opening_fault(Subject& subject, SessionOptions usual, Reply opening, bool only);

}  // namespace plumbline::conformance
