// JSON for a terminal.

#pragma once

#include <string>

#include "core/json/value.h"

namespace plumbline {

// dump_ascii_json writes what dump_json does, with \u escapes for all that is not printable ASCII:
// nothing that a peer has said moves the cursor, turns the text around, or is not seen. For logs.
inline std::string dump_ascii_json(const Json& value) {
  return value.dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace plumbline
