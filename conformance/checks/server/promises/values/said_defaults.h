// Defaults that a description tells in words.

#pragma once

#include <string>

#include "core/json/json.h"

namespace plumbline::conformance {

// default_in_words returns what a parameter is where it is left out, as its description or that of
// the tool says: the priority is "normal" unless another one is given. Null: they say none, or not
// plainly.
Json default_in_words(const Json& tool, const std::string& name, const Json& property);

}  // namespace plumbline::conformance
