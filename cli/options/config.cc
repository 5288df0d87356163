#include "cli/options/config.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/json/json.h"
#include "core/json/locate.h"
#include "core/mcp/protocol/transports.h"
#include "core/os/child/environment.h"

namespace plumbline::cli {

namespace {

bool is_ascii_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

Error refusal(const std::string& file_name, Position at, const std::string& why) {
  return Error{ErrorCode::kInvalidInput, file_name + ":" + std::to_string(at.line) + ":" +
                                             std::to_string(at.column) + ": " + why};
}

// is_header returns whether this can be sent as one field of HTTP (RFC 9110 section 5).
bool is_header(std::string_view name, std::string_view value) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  const bool token = !name.empty() && std::ranges::all_of(name, [&](char c) {
    return is_ascii_letter_or_digit(c) || kMarks.find(c) != std::string_view::npos;
  });
  return token &&
         std::ranges::none_of(value, [](char c) { return c == '\r' || c == '\n' || c == 0; });
}

// Reader turns one parsed file into a Config and remembers where what is wrong stands.
class Reader {
 public:
  Reader(std::string_view text, const std::string& file_name)
      : text_(text), file_name_(file_name) {}

  Result<Config> read(const Json& root) {
    if (!root.is_object()) return refuse("", "expected an object with \"mcpServers\"");
    const Json* const servers = find(root, "mcpServers");
    if (servers == nullptr || !servers->is_object()) {
      return refuse("/mcpServers", "expected \"mcpServers\", an object of servers by name");
    }
    for (const auto& [name, entry] : servers->items()) {
      const Status status = read_server(name, entry);
      if (!status.ok()) return status.error();
    }
    if (const Json* const ours = find(root, "plumbline")) {
      const Status status = read_settings(*ours);
      if (!status.ok()) return status.error();
    }
    return std::move(config_);
  }

  Error refuse(const std::string& pointer, const std::string& why) const {
    return refusal(file_name_, locate(text_, pointer), why);
  }

 private:
  Status read_server(const std::string& name, const Json& entry) {
    const std::string at = "/mcpServers/" + pointer_token(name);
    if (!entry.is_object()) return refuse(at, "server \"" + name + "\" must be an object");
    const std::optional<std::string> type = find_string(entry, "type");
    const std::optional<mcp::Transport> transport = mcp::parse_transport(type.value_or(""));
    if (type && !transport) {
      return refuse(at + "/type", "server \"" + name + "\" is of type \"" + *type +
                                      "\", expected stdio, http, streamable-http, sse or ws");
    }
    const bool remote = type ? transport != mcp::Transport::kStdio : !entry.contains("command");
    const Status status = remote && (type || entry.contains("url"))
                              ? read_remote(name, at, transport, entry)
                              : read_command(name, at, entry);
    if (status.ok()) config_.servers.push_back(name);
    return status;
  }

  Status read_remote(const std::string& name, const std::string& at,
                     std::optional<mcp::Transport> transport, const Json& entry) {
    const std::optional<std::string> text = find_string(entry, "url");
    if (!text) return refuse(at, "server \"" + name + "\" needs a \"url\" to connect to");
    Result<wire::Url> url = wire::parse_url(*text);
    if (!url.ok()) return refuse(at + "/url", url.error().message);
    transport::HttpEndpoint out;
    out.url = std::move(url).value();
    const bool socket = out.url.scheme.starts_with("ws");
    out.transport = socket && !transport ? mcp::Transport::kWebSocket : transport;
    if (socket != (out.transport == mcp::Transport::kWebSocket)) {
      return refuse(at + "/url", "a server of type \"" + *find_string(entry, "type") +
                                     "\" has a URL with " +
                                     (socket ? "http or https" : "ws or wss"));
    }
    if (const Json* const headers = find(entry, "headers")) {
      const Status status = read_headers(at + "/headers", *headers, out.headers);
      if (!status.ok()) return status;
    }
    if (const Json* const file = find(entry, "ca_file")) {
      if (!file->is_string()) return refuse(at + "/ca_file", "\"ca_file\" must be a PEM file");
      out.tls.ca_file = beside_file(*file->get_ptr<const std::string*>());
    }
    if (const Json* const said = find(entry, "authentication")) {
      Result<Authentication> read = read_authentication(*said, os::environment_variable);
      if (!read.ok()) return refuse(at + "/authentication", read.error().message);
      const auto& header = read.value().header;
      if (header && !is_header(header->first, header->second)) {
        return refuse(at + "/authentication", "its \"header\" is no name of an HTTP header");
      }
      if (header) out.headers.set(header->first, header->second);
      config_.authentications[name] = std::move(read).value();
    }
    config_.remotes[name] = std::move(out);
    return Done{};
  }

  Status read_headers(const std::string& at, const Json& headers, wire::HttpHeaders& out) const {
    if (!headers.is_object()) return refuse(at, "\"headers\" must be an object of strings");
    for (const auto& [key, value] : headers.items()) {
      const auto* const text = value.get_ptr<const std::string*>();
      if (text == nullptr || !is_header(key, *text)) {
        return refuse(at + '/' + pointer_token(key), "this is no HTTP header");
      }
      out.add(key, *text);
    }
    return Done{};
  }

  Status read_command(const std::string& name, const std::string& at, const Json& entry) {
    const std::optional<std::string> command = find_string(entry, "command");
    if (!command || command->empty()) {
      return refuse(at, "server \"" + name + "\" needs a \"command\", a program to start");
    }
    net::Command out;
    out.argv.push_back(*command);
    if (const Json* const args = find(entry, "args")) {
      if (!args->is_array()) return refuse(at + "/args", "\"args\" must be an array of strings");
      for (std::size_t i = 0; i < args->size(); ++i) {
        const auto* const word = (*args)[i].get_ptr<const std::string*>();
        if (word == nullptr) {
          return refuse(at + "/args/" + std::to_string(i), "an argument must be a string");
        }
        out.argv.push_back(*word);
      }
    }
    if (const Json* const env = find(entry, "env")) {
      if (!env->is_object()) return refuse(at + "/env", "\"env\" must be an object of strings");
      for (const auto& [key, value] : env->items()) {
        const auto* const text = value.get_ptr<const std::string*>();
        if (text == nullptr) {
          return refuse(at + "/env/" + pointer_token(key), "a variable must be a string");
        }
        out.env[key] = *text;
      }
    }
    if (const Json* const cwd = find(entry, "cwd")) {
      if (!cwd->is_string()) return refuse(at + "/cwd", "\"cwd\" must be a folder");
      out.cwd = beside_file(*cwd->get_ptr<const std::string*>());
    }
    config_.commands[name] = std::move(out);
    return Done{};
  }

  Status read_settings(const Json& ours) {
    if (!ours.is_object()) return refuse("/plumbline", "\"plumbline\" must be an object");
    for (const auto& [key, value] : ours.items()) {
      const std::string at = "/plumbline/" + pointer_token(key);
      if (key == "policy") {
        std::string pointer;
        Result<agents::Policy> policy = agents::Policy::parse(value, &pointer);
        if (!policy.ok()) return refuse(at + pointer, policy.error().message);
        config_.policy = std::move(policy).value();
      } else if (key == "connect_timeout_ms" || key == "request_timeout_ms") {
        const std::int64_t ms = as_int(value).value_or(0);
        if (ms < 1 || ms > milliseconds_of(limits::kVirtualTimeMax)) {
          return refuse(at, "\"" + key + "\" must be a number of milliseconds from 1 to 24 hours");
        }
        (key.starts_with("connect") ? config_.connect_timeout : config_.request_timeout) =
            std::chrono::milliseconds(ms);
      } else if (key == "server_priority") {
        const Status status = read_priority(at, value);
        if (!status.ok()) return status;
      } else {
        return refuse(at, "unknown key \"" + key +
                              "\", expected policy, connect_timeout_ms, "
                              "request_timeout_ms or server_priority");
      }
    }
    return Done{};
  }

  Status read_priority(const std::string& at, const Json& names) {
    if (!names.is_array()) return refuse(at, "\"server_priority\" must be an array of servers");
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto* const name = names[i].get_ptr<const std::string*>();
      if (name == nullptr || std::ranges::find(config_.servers, *name) == config_.servers.end()) {
        return refuse(at + "/" + std::to_string(i), "expected the name of a server of this file");
      }
      config_.prefer.push_back(*name);
    }
    return Done{};
  }

  std::string beside_file(const std::string& folder) const {
    const std::size_t slash = file_name_.rfind('/');
    if (folder.starts_with('/') || slash == std::string::npos) return folder;
    return file_name_.substr(0, slash + 1) + folder;
  }

  std::string_view text_;
  const std::string& file_name_;
  Config config_;
};

}  // namespace

Result<Config> parse_config(std::string_view text, const std::string& file_name) {
  JsonLimits limits;
  limits.comments = true;
  limits.duplicate_keys = false;
  Position failed_at;
  const Result<Json> root = parse_json(text, limits, failed_at);
  if (!root.ok()) return refusal(file_name, failed_at, root.error().message);
  return Reader(text, file_name).read(root.value());
}

Status keep_servers(Config& config, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::ranges::find(config.servers, name) == config.servers.end()) {
      return Error{ErrorCode::kInvalidInput,
                   "--server " + name + ": the configuration has no such server"};
    }
  }
  if (names.empty()) return Done{};
  std::erase_if(config.servers, [&](const std::string& server) {
    return std::ranges::find(names, server) == names.end();
  });
  return Done{};
}

Secrets secrets_of(const Config& config) {
  Secrets secrets;
  for (const auto& [server, command] : config.commands) {
    secrets.add_words(command.argv);
    secrets.add_variables(command.env);
  }
  for (const auto& [server, remote] : config.remotes) {
    for (const auto& [name, value] : remote.headers.fields()) {
      secrets.add_words({name + ": " + value});
    }
    secrets.add_words({remote.url.origin() + remote.url.target});
  }
  for (const auto& [server, said] : config.authentications) {
    if (!said.secret.empty()) secrets.add(said.secret);
  }
  return secrets;
}

}  // namespace plumbline::cli
