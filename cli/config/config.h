// The configuration of `ask` and `connect`: the mcpServers file that desktop clients use, with our
// own settings beside it; the file of one agent; or one with settings alone.
//
//   { "mcpServers": { "files": {"command": "npx", "args": ["-y", "..."], "env": {}, "cwd": "."},
//                     "wiki": {"url": "https://wiki.example/mcp", "headers": {}, "type": "http",
//                              "ca_file": "ca.pem"} },
//     "plumbline": { "policy": {...}, "connect_timeout_ms": 30000, "request_timeout_ms": 30000,
//                    "server_priority": ["files"],
//                    "registry": {"url": "https://agents.example/agents", "headers": {},
//                                 "allow": ["https://agent.example"]},
//                    "mcp": {...}, "security": {...} } }
//
//   { "agentId": "research", "endpoint": "wss://agents.example/research",
//     "authentication": {...}, "connection": {"timeout": 30000, "retryPolicy": {...}},
//     "capabilities": ["tools/call"] }
//
//   { "mcp": {...}, "security": {...} }
//
// The servers may also be those of a host that writes them in its own way (hosts.h): VS Code,
// Codex, Zed and others. "plumbline" may stand beside them.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/config/authentication.h"
#include "cli/config/host_values.h"
#include "cli/options/agent_settings.h"
#include "cli/options/secrets.h"
#include "cli/options/settings.h"
#include "core/agents/policy/policy.h"
#include "core/base/limits.h"
#include "core/base/result.h"
#include "core/connector/registry/agent_address.h"
#include "core/mcp/transport/http_connector.h"
#include "core/net/spawner.h"

namespace plumbline::cli {

// RegistrySource is where agents are looked for that the file does not name.
struct RegistrySource {
  wire::Url url;
  wire::HttpHeaders headers;  // For the registry alone.
  registry::AllowedOrigins allowed;
};

// read_registry_url reads the address of a registry. kInvalidInput: it is none of http or https.
Result<wire::Url> read_registry_url(std::string_view text);

// Each server is in one of `commands` and `remotes`.
// ChatModel says which model answers.
struct ChatModel {
  std::string script;    // A file of a scripted model; empty: a real one.
  std::string settings;  // A file that says which models there are; empty: OpenAI's.
  std::string name;      // Of a model in it; empty: that of the role.
  std::string role = "default";
};

struct Config {
  std::vector<std::string> servers;  // In the order of their names.
  std::map<std::string, net::Command> commands;
  std::map<std::string, transport::HttpEndpoint> remotes;
  std::map<std::string, Authentication> authentications;  // Of remotes that say so.
  std::vector<std::string> prefer;                        // Before the others, the first first.
  agents::Policy policy;
  std::optional<RegistrySource> registry;
  std::optional<ChatModel> advisor;  // Of the assistant.
  Settings settings;
  std::map<std::string, AgentSettings> agents;  // Of servers that say any.
  Duration request_timeout = limits::kRequestTimeout;
  std::map<std::string, std::string> left_out;  // Servers that are not started, and why.
  std::vector<std::string> notes;               // For the person: "file:line:column: what".
  std::vector<std::string> secrets;             // That variables and inputs brought.
  bool replaces = false;  // A later file may have a server of the same name, which is then used.
};

// forget_server takes a server out of `config`, if it is there, in whose place `file_name` has
// another one, and notes that.
void forget_server(Config& config, const std::string& name, const std::string& file_name);

// parse_config reads the text of `file_name`. A relative "cwd" or "ca_file" starts at the folder of
// the file; without "cwd" a server starts in ours. "type" may be
// missing; it is one of stdio, http, streamable-http, sse and ws. Comments, a comma behind the last
// member and a byte order mark are allowed; a file that ends in .toml is TOML.
// Variables get their values as the host of the file gives them; one that is not set is a refusal.
// "authentication" of a server at a URL is read as authentication.h says, with our environment.
// Keys of mcpServers entries that we do not know are told in the notes, and change nothing.
// kInvalidInput: "file:line:column: what, what was expected". What is read is added to `so_far`, in
// which no server may have the same name, unless it `replaces`; other settings take the place of
// those before.
Result<Config> parse_config(std::string_view text, const std::string& file_name,
                            Config so_far = {});
Result<Config> parse_config(std::string_view text, const std::string& file_name, Config so_far,
                            const Surroundings& around);

// read_chat_model reads the "model" at `pointer` of the file `file_name`, at whose folder its files
// start.
ChatModel read_chat_model(const Json& said, std::string pointer, const std::string& file_name,
                          std::optional<Problem>& problem);

// is_header returns whether this can be sent as one field of HTTP (RFC 9110, section 5).
bool is_header(std::string_view name, std::string_view value);

// keep_servers drops every server that is not in `names`; empty keeps all. kInvalidInput: a name
// that is not there, or that is not to be started.
Status keep_servers(Config& config, const std::vector<std::string>& names);

// permitted_methods returns the methods that each agent may be asked, of those that say so.
std::map<std::string, std::vector<std::string>> permitted_methods(const Config& config);

// secrets_of returns the secrets of `config`: in arguments, and the values of variables, headers
// and parameters of URLs whose names say that they are secret.
Secrets secrets_of(const Config& config);

}  // namespace plumbline::cli
