// Of two tools, whether the name of one says more of what is wanted, and less of what is not.

#pragma once

#include "core/agents/operations/fit/wish.h"
#include "core/agents/policy/policy.h"
#include "core/connector/capability.h"

namespace plumbline::agents {

// is_deprecated returns whether a tool says that another is to be used in its place.
bool is_deprecated(const connector::Capability& capability);

// is_outdone returns whether another tool of the server, which does what `wish` asks for, is called
// after all that the tool is called after and that is asked for, and after nothing else that the
// tool is not called after, but for more of what is asked for: for "show the problem two-sum",
// get_problem outdoes list_problem_solutions. Where the other one can't be used, the tool is no
// answer either.
bool is_outdone(const Wish& wish, const connector::Manifest& manifest, connector::CapabilityRef ref,
                const Policy& policy);

}  // namespace plumbline::agents
