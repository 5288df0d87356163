// Values that a property's description tells of.

#pragma once

#include <string>
#include <vector>

#include "core/agents/operations/request/extraction.h"
#include "core/agents/operations/request/request_text.h"
#include "core/json/json.h"

namespace plumbline::agents {

// give_described gives what a description tells of: a number by the word that it stands for ("2 =
// double"), the number of a month, one of several values that stand in quotes ("e.g. 'nyt'"), and
// the name of a thing ("search term (show name)": "the show Lost").
void give_described(Extraction& extraction, const std::vector<std::string>& required,
                    const Json& properties, RequestText& request);

}  // namespace plumbline::agents
