// The points in time that texts name.

#pragma once

#include <optional>
#include <string_view>

namespace plumbline::conformance {

// instant_of returns the seconds since 1970 of a date, or of a time with its offset (RFC 3339);
// nothing: it is neither.
std::optional<double> instant_of(std::string_view text);

}  // namespace plumbline::conformance
