// Whether what a tool takes back is taken back whole: what a booking took is free again, and its
// number is given to no other. The judge takes back what it has made itself.

#pragma once

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

// frees_what_was_taken makes something that lowers what is left, as the answers of the making tool
// say, and takes it back with a tool that says that this frees it. Blamed is where what is left
// stays as low, three times.
Task<Finding> frees_what_was_taken(Probe& probe);

// gives_ids_once makes two things, takes back the first, and makes another. Blamed is an id that
// the second still bears, as a list shows; and one that comes again where the tool says that none
// does.
Task<Finding> gives_ids_once(Probe& probe);

}  // namespace plumbline::conformance
