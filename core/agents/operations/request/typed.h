// A value of a request, in the type that a schema asks for.

#pragma once

#include <optional>
#include <string>

#include "core/json/json.h"

namespace plumbline::agents {

// type_of returns the type that `schema` asks for besides null; "" where it asks for several or for
// none.
std::string type_of(const Json& schema);

// takes_text returns whether a schema takes a string, alone or beside other types.
bool takes_text(const Json& schema);

// takes_number returns whether a schema takes any number, and nothing else.
bool takes_number(const Json& schema);

// typed turns words of the request into the type that `schema` asks for. Nothing: they are no such
// value, or a name where the code of a language, a country or a currency is wanted.
std::optional<Json> typed(const Json& schema, const std::string& text);

}  // namespace plumbline::agents
