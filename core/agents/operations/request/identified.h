// Which thing of a request an id belongs to, and what the description of a property says of its
// values.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/agents/operations/request/request_text.h"
#include "core/json/json.h"

namespace plumbline::agents {

// is_id_word returns whether a folded word says that a property holds an id: "id", "gid".
bool is_id_word(std::string_view word);

// identifier_of takes what is written behind the thing whose id `property` holds: "c12" of "card
// c12" for cardId.
std::optional<std::string> identifier_of(std::string_view property, const Json& schema,
                                         RequestText& request);

// identifies_another returns whether the first id that is left belongs to another thing than the
// one whose id `property` holds: "event ev42 in the calendar" for calendarId. A tool that lists
// things (`lists`) is given the id of what they are in, so there any other thing is another.
bool identifies_another(std::string_view property, const RequestText& request, bool lists);

// quoted_words returns the words that stand alone in quotes in `text`: primary of "use 'primary'".
std::vector<std::string_view> quoted_words(std::string_view text);

// known_value takes a word that the property's description quotes as a value, and that is written
// behind the thing whose id it holds: "the calendar primary".
std::optional<std::string> known_value(std::string_view property, const Json& schema,
                                       RequestText& request);

// told_values returns the values that a description lists behind "values include:", "one of:" and
// the like. `description` must outlive them.
std::vector<std::string_view> told_values(std::string_view description);

// listed_value returns the one value that the property's description lists ("Valid values include:
// contacts, deals.") and that the request speaks of, in the singular or plural.
std::optional<std::string> listed_value(const Json& schema, const RequestText& request);

// with_operator returns "from:a@example.com" for "from a@example.com", where the property's
// description shows the operator "from:".
std::optional<std::string> with_operator(const Json& schema, RequestText& request);

}  // namespace plumbline::agents
