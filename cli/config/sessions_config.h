// The configuration of `sessions`: a JSON object, of which everything may be left out.
//
//   { "origins": ["https://class.example"], "credentials": false, "hosts": ["sessions.example"],
//     "proxies": ["127.0.0.1"],
//     "auth": "jwks=https://login.example/jwks,issuer=https://login.example",
//     "session_ttl_ms": 3600000, "call_timeout_ms": 30000, "worker_grace_ms": 5000,
//     "keep_alive_ms": 15000, "sessions_max": 20000, "sunset": "2027-07-28" }

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/serving.h"
#include "core/base/result.h"
#include "core/service/sessions/session_server.h"

namespace plumbline::cli {

struct SessionsConfig {
  service::SessionServerOptions server;
  std::optional<ServingAuth> auth;  // Nothing: anybody who knows a code may come in.
};

// parse_sessions_config reads the text of `file_name`. Comments are allowed. "origins" may hold
// "*". kInvalidInput: "file:line:column: what, what was expected".
Result<SessionsConfig> parse_sessions_config(std::string_view text, const std::string& file_name);

}  // namespace plumbline::cli
