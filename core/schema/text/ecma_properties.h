// The properties of characters that ECMA-262 knows within \p{...}.

#pragma once

#include <string_view>

namespace plumbline::schema {

// is_ecma_property returns whether `name` may stand there: a general category, a binary property,
// or one of the three with a value, "Script=Greek". Which scripts there are is Unicode's to say:
// any word will do.
bool is_ecma_property(std::string_view name);

}  // namespace plumbline::schema
