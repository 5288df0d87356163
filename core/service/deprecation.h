// Deprecation says in headers that an endpoint is on its way out (RFC 9745, RFC 8594).

#pragma once

#include <string>

#include "core/base/time.h"
#include "core/net/http_reply.h"

namespace plumbline::service {

struct Deprecation {
  Duration since{};       // Since 1970.
  Duration sunset{};      // From then on it may be gone. Zero: nobody has said.
  std::string successor;  // Where the same can be had: "/mcp". Empty: nowhere.
};

// announce puts it into the answer to come.
void announce(const Deprecation& deprecation, net::HttpReply& reply);

// http_date returns such a time as HTTP has it: "Tue, 28 Jul 2026 00:00:00 GMT" (RFC 9110, 5.6.7).
std::string http_date(Duration since_1970);

}  // namespace plumbline::service
