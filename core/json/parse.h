// From text to Json.

#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/json/json_limits.h"
#include "core/json/position.h"
#include "core/json/value.h"

namespace plumbline {

// parse_json reads one JSON text (UTF-8, no byte order mark) and nothing after it.
// kInvalidInput: not JSON, or not UTF-8; the message ends in "at line L column C".
// kLimitReached: more than bytes_max bytes, or deeper than depth_max.
Result<Json> parse_json(std::string_view text, const JsonLimits& limits = {});

// This one is slower and also says where in `text` it failed: for files that people write. The
// message then names no position.
Result<Json> parse_json(std::string_view text, const JsonLimits& limits, Position& failed_at);

}  // namespace plumbline
