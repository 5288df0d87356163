// What a request lists for a property that takes many: "movies 12, 45 and 78".

#pragma once

#include <string>
#include <vector>

#include "core/agents/operations/request/extraction.h"
#include "core/agents/operations/request/request_text.h"
#include "core/connector/capability.h"
#include "core/json/json.h"

namespace plumbline::agents {

// give_lists gives required lists what the request lists: numbers, values of the form that the
// description of the property shows ("e.g. 'NASDAQ:AAPL'"), or things joined by commas and "and".
void give_lists(Extraction& extraction, const std::vector<std::string>& required,
                const Json& properties, const connector::Capability& capability,
                RequestText& request);

// shown_form returns whether `value` has the form of an example that stands in quotes in a
// description, and which no word of a sentence has: "NYSE:IBM", of "e.g. 'NASDAQ:AAPL'".
bool shown_form(const Json& schema, std::string_view value);

}  // namespace plumbline::agents
