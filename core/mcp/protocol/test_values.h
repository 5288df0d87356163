// The short words of this folder's tests.

#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/json/json.h"

namespace plumbline::mcp {

using Lines = std::vector<std::string>;

constexpr Instant at(int second) { return Instant(std::chrono::seconds(second)); }

inline Json json(const std::string& text) { return parse_json(text).value(); }

}  // namespace plumbline::mcp
