// From Json to text. Object keys are sorted, so a dump of equal values is equal bytes.

#pragma once

#include <string>

#include "core/json/value.h"

namespace plumbline {

// dump_json writes the shortest text: no spaces, keys sorted, non-ASCII kept. Bytes that are not
// UTF-8 become U+FFFD. `value` is at most kJsonDepthMax deep when it came through parse_json.
std::string dump_json(const Json& value);

// append_json appends what dump_json returns.
void append_json(std::string& out, const Json& value);

// pretty_json writes two spaces an indent, for people. No newline at the end.
std::string pretty_json(const Json& value);

}  // namespace plumbline
