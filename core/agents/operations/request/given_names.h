// Names that stand in a request beside what they are the names of.

#pragma once

#include "core/agents/operations/request/extraction.h"
#include "core/agents/operations/request/request_text.h"
#include "core/connector/capability.h"
#include "core/json/json.h"

namespace plumbline::agents {

// give_names gives the properties that are names what the request calls so: "shop" of "the pods in
// namespace shop".
void give_names(Extraction& extraction, const Json& properties,
                const connector::Capability& capability, RequestText& request);

}  // namespace plumbline::agents
