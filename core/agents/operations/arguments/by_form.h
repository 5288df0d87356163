// Values that a request gives in a form of their own: "acme/webshop" for an owner and a
// repository, "r/news" for what is wanted "without r/ prefix", two paths of which one is here.

#pragma once

#include <string>

#include "core/agents/operations/request/extraction.h"
#include "core/agents/operations/request/request_text.h"
#include "core/connector/capability.h"
#include "core/json/json.h"

namespace plumbline::agents {

// give_by_form gives them to the properties that are for them, where each is the only one.
void give_by_form(Extraction& extraction, const Json& properties,
                  const connector::Capability& capability, RequestText& request);

// give_both gives two properties what stands on both sides of "to" or "and".
void give_both(Extraction& extraction, const std::string& first, const std::string& second,
               RequestText& request);

// give_left_address gives the one address that nothing has taken to the one property for it.
void give_left_address(Extraction& extraction, const Json& properties, RequestText& request);

}  // namespace plumbline::agents
