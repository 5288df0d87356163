// The configuration of `ask`: the mcpServers file that desktop clients use, with our own settings
// beside it.
//
//   { "mcpServers": { "files": {"command": "npx", "args": ["-y", "..."], "env": {}, "cwd": "."} },
//     "plumbline": { "policy": {...}, "connect_timeout_ms": 30000, "request_timeout_ms": 30000 } }

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/agents/policy.h"
#include "core/base/limits.h"
#include "core/base/result.h"
#include "core/transport/spawner.h"

namespace plumbline::cli {

struct Config {
  std::vector<std::string> servers;  // In the order of their names.
  std::map<std::string, transport::Command> commands;
  agents::Policy policy;
  Duration connect_timeout = limits::kConnectTimeout;
  Duration request_timeout = limits::kRequestTimeout;
};

// parse_config reads the text of `file_name`. A relative "cwd" starts at the folder of the file;
// without "cwd" a server starts in ours. Comments are allowed. Keys of mcpServers entries that
// other clients use and we do not know are ignored, ours are not.
// kInvalidInput: "file:line:column: what, what was expected".
Result<Config> parse_config(std::string_view text, const std::string& file_name);

// keep_servers drops every server that is not in `names`; empty keeps all. kInvalidInput: a name
// that is not there.
Status keep_servers(Config& config, const std::vector<std::string>& names);

}  // namespace plumbline::cli
