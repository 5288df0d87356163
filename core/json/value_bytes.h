// How much memory a JSON value takes: often 15 times its text. A server asks before it reads what a
// peer has sent, and again for what it keeps.

#pragma once

#include <cstddef>
#include <string_view>

#include "core/json/value.h"

namespace plumbline {

// value_bytes returns how many bytes of memory `value` takes, with what the allocator adds.
std::size_t value_bytes(const Json& value);

// value_bytes_of_text returns how many bytes the value of a JSON text takes at most once it is
// read, without reading it. Of what is no JSON it returns some number.
std::size_t value_bytes_of_text(std::string_view text);

}  // namespace plumbline
