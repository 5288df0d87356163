// Selection ranks what the servers offer by how well it fits a request: by name, description and
// schema, and by whether it could run at all.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/agents/operations/intent.h"
#include "core/agents/operations/operations_state.h"
#include "core/agents/policy/policy.h"
#include "core/connector/capability.h"

namespace plumbline::agents {

// rank returns the capabilities that have something to do with the request, best first; what is
// weak or irrelevant is left out. Equal scores keep the order of the manifest.
std::vector<Candidate> rank(const connector::Manifest& manifest, std::string_view request,
                            Intent intent, const std::vector<std::string>& server_preferences,
                            const Policy& policy);

// unfilterable_words returns the words by which the request narrows a list ("open",
// "high-priority") when the capability is a list that can be narrowed by none of them. Calling it
// would fetch everything.
std::vector<std::string> unfilterable_words(std::string_view request,
                                            const connector::Capability& capability);

}  // namespace plumbline::agents
