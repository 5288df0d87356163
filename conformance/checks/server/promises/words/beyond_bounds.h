// Whether tools take what their own inputSchema rules out by more than its type: a number beyond
// its bounds, a fraction of an integer, a text that is too long, no value of an enum.

#pragma once

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

// refuses_beyond_bounds makes calls that went well again, each with one argument beyond what its
// schema allows. Blamed is what a tool goes on with, as its answers show: the value stands where
// one that is allowed stood before, or the answer is neither that to the bound, which is what a
// server gives that cuts to it, nor that without the argument.
Task<Finding> refuses_beyond_bounds(Probe& probe, Client client);

}  // namespace plumbline::conformance
