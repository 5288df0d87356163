// A span of time as people write it.

#pragma once

#include <optional>
#include <string_view>

#include "core/base/time.h"

namespace plumbline {

// kDurationExamples tells what duration_in reads.
inline constexpr std::string_view kDurationExamples = "500ms, 30s or 2m, at most 24 hours";

// duration_in reads a whole number with its unit (ms, s, m, h), at most a day. Nothing: it is
// anything else.
std::optional<Duration> duration_in(std::string_view text);

}  // namespace plumbline
