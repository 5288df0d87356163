// The words in which frameworks say that they could not give a value to the code of a tool.

#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/json/value.h"

namespace plumbline::conformance {

// tells_of_binding returns whether a text says so: "argument type mismatch", "Cannot deserialize
// value of type", "No enum constant". Not where it speaks of an answer that the tool got itself.
bool tells_of_binding(std::string_view text, const Json& arguments);

// refuses_to_bind returns whether a text says so of `arguments`, which an inputSchema allows: it
// names one, or none could be meant otherwise. What a free text or an object has in it is no matter
// of its type, so that nothing is said of those; `is_choice` tells which texts are of an enum.
bool refuses_to_bind(std::string_view text, const Json& arguments,
                     const std::function<bool(const std::string& name)>& is_choice);

}  // namespace plumbline::conformance
