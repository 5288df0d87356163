// Arguments for a capability, from three sources and no other: the request, the configuration, and
// the defaults of the schema. What none of them gives is missing, never made up.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/agents/operations/request/extraction.h"
#include "core/agents/operations/request/request_text.h"
#include "core/connector/capability.h"
#include "core/json/json.h"

namespace plumbline::agents {

// extract_arguments fills the properties of the capability's input schema. A value of the request
// goes before the configuration, the configuration before a default. Optional properties are
// filled from the request only where it names them or one of their enum values.
Extraction extract_arguments(std::string_view request, const connector::Capability& capability,
                             const Json& configured);

// This one takes a request whose words were found before.
Extraction extract_arguments(RequestText request, const connector::Capability& capability,
                             const Json& configured);

}  // namespace plumbline::agents
