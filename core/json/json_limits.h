// What a JSON text may be for parse_json.

#pragma once

#include <cstddef>

#include "core/base/limits.h"

namespace plumbline {

// A string or an array of more bytes takes no more room than it needs.
inline constexpr std::size_t kLongJsonBytes = 4'096;

struct JsonLimits {
  std::size_t bytes_max = limits::kMessageBytesMax;
  std::size_t depth_max = limits::kJsonDepthMax;  // 1 is an array of scalars.
  bool comments = false;                          // Accept // and /* */ as in scenario files.
  bool duplicate_keys = true;                     // Accept them, the last one wins (RFC 8259).
};

}  // namespace plumbline
