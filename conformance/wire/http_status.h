#pragma once

#include <cstdint>

#include "core/json/json.h"

namespace plumbline::conformance {

// RFC 6585, section 4: the client has asked too much in a time.
inline constexpr int kTooManyRequests = 429;

// stateless_status_of returns the HTTP status that a stateless revision binds to a response.
//
// Spec 2026-07-28, basic/transports/streamable-http, Error Responses.
inline int stateless_status_of(const Json& response) {
  const Json* const wrong = find(response, "error");
  if (wrong == nullptr) return 200;
  const std::int64_t code = int_or(*wrong, "code", 0);
  if (code == -32601) return 404;
  return code == -32020 || code == -32021 || code == -32022 ? 400 : 200;
}

}  // namespace plumbline::conformance
