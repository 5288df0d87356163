// The configuration of `ask`: the mcpServers file that desktop clients use, with our own settings
// beside it.
//
//   { "mcpServers": { "files": {"command": "npx", "args": ["-y", "..."], "env": {}, "cwd": "."},
//                     "wiki": {"url": "https://wiki.example/mcp", "headers": {}, "type": "http",
//                              "ca_file": "ca.pem"} },
//     "plumbline": { "policy": {...}, "connect_timeout_ms": 30000, "request_timeout_ms": 30000,
//                    "server_priority": ["files"] } }

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/authentication.h"
#include "cli/options/secrets.h"
#include "core/agents/policy/policy.h"
#include "core/base/limits.h"
#include "core/base/result.h"
#include "core/mcp/transport/http_connector.h"
#include "core/net/spawner.h"

namespace plumbline::cli {

// Each server is in one of `commands` and `remotes`.
struct Config {
  std::vector<std::string> servers;  // In the order of their names.
  std::map<std::string, net::Command> commands;
  std::map<std::string, transport::HttpEndpoint> remotes;
  std::map<std::string, Authentication> authentications;  // Of remotes that say so.
  std::vector<std::string> prefer;                        // Before the others, the first first.
  agents::Policy policy;
  Duration connect_timeout = limits::kConnectTimeout;
  Duration request_timeout = limits::kRequestTimeout;
};

// parse_config reads the text of `file_name`. A relative "cwd" or "ca_file" starts at the folder of
// the file; without "cwd" a server starts in ours. "type" may be
// missing; it is one of stdio, http, streamable-http, sse and ws. Comments are allowed.
// "authentication" of a server at a URL is read as authentication.h says, with our environment.
// Keys of mcpServers entries that other clients use and we do not know are ignored, ours are not.
// kInvalidInput: "file:line:column: what, what was expected".
Result<Config> parse_config(std::string_view text, const std::string& file_name);

// keep_servers drops every server that is not in `names`; empty keeps all. kInvalidInput: a name
// that is not there.
Status keep_servers(Config& config, const std::vector<std::string>& names);

// secrets_of returns the secrets of `config`: in arguments, and the values of variables, headers
// and parameters of URLs whose names say that they are secret.
Secrets secrets_of(const Config& config);

}  // namespace plumbline::cli
