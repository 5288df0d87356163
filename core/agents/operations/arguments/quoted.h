// The text that a request quotes, for a tool that makes, changes or sends something of it.

#pragma once

#include "core/agents/operations/request/extraction.h"
#include "core/agents/operations/request/request_text.h"
#include "core/connector/capability.h"

namespace plumbline::agents {

// give_quotation gives the one quotation that nothing has taken to the property for the title of
// what is made, or for the text of what is said, though it need not be given.
void give_quotation(Extraction& extraction, const Json& properties,
                    const connector::Capability& capability, RequestText& request);

// give_nested gives objects that are required what they need of the request, as `extract` finds it.
void give_nested(Extraction& extraction, const Json& properties,
                 const connector::Capability& capability, const RequestText& request,
                 Extraction (*extract)(const RequestText&, const connector::Capability&));

}  // namespace plumbline::agents
