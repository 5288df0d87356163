// How long the answer of an HTTP server asks to be left alone.

#pragma once

#include <optional>

#include "core/base/time.h"
#include "core/wire/http.h"

namespace plumbline::wire {

// retry_after returns how long the answer asks to wait. A date is held against the answer's own
// Date: without one it says nothing.
//
// Source: RFC 9110, section 10.2.3.
std::optional<Duration> retry_after(const HttpHeaders& headers);

}  // namespace plumbline::wire
