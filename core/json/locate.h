// Where in a JSON text the value stands that a pointer names.

#pragma once

#include <string_view>

#include "core/json/position.h"

namespace plumbline {

// locate returns where the value that the RFC 6901 `pointer` names begins in `text`: at its key
// for a member of an object, at its first byte for an item of an array. `text` is JSON that
// parse_json accepts, comments included. A pointer that leads nowhere gives the deepest value on
// its way that does exist.
//
// It reads the text again from the start: for error messages, not for hot paths.
Position locate(std::string_view text, std::string_view pointer);

}  // namespace plumbline
