#include "cli/options/config.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/json/json.h"
#include "core/json/locate.h"
#include "core/json/object_reader.h"
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

// Reader turns one parsed file into a Config. The first thing that is wrong is `problem`.
class Reader {
 public:
  Reader(const std::string& file_name, std::optional<Problem>& problem)
      : file_name_(file_name), problem_(problem) {}

  Config read(const Json& root) {
    ObjectReader file(root, "", "a configuration", problem_);
    file.require("mcpServers", "an object of servers by name");
    if (const Json* const servers = file.object("mcpServers")) {
      for (const auto& [name, entry] : servers->items()) read_server(name, entry);
    }
    if (const Json* const ours = file.take("plumbline")) read_settings(*ours);
    return std::move(config_);
  }

 private:
  // What others keep with a server is left alone: its unknown keys are no problem.
  void read_server(const std::string& name, const Json& entry) {
    const std::string what = "server \"" + name + "\"";
    ObjectReader fields(entry, "/mcpServers/" + pointer_token(name), what, problem_);
    const std::optional<std::string> type = fields.string("type");
    const std::optional<mcp::Transport> transport = mcp::parse_transport(type.value_or(""));
    if (type && !transport) {
      fields.refuse("type", what + " is of type \"" + *type +
                                "\", expected stdio, http, streamable-http, sse or ws");
    }
    const bool remote = type ? transport != mcp::Transport::kStdio : !fields.has("command");
    if (remote && (type || fields.has("url"))) {
      read_remote(name, fields, transport);
    } else {
      read_command(name, fields);
    }
    config_.servers.push_back(name);
  }

  void read_remote(const std::string& name, ObjectReader& fields,
                   std::optional<mcp::Transport> transport) {
    if (!fields.require("url", "an address to connect to")) return;
    Result<wire::Url> url = wire::parse_url(fields.string("url").value_or(""));
    if (!url.ok()) return fields.refuse("url", url.error().message);
    transport::HttpEndpoint out;
    out.url = std::move(url).value();
    const bool socket = out.url.scheme.starts_with("ws");
    out.transport = socket && !transport ? mcp::Transport::kWebSocket : transport;
    if (socket != (out.transport == mcp::Transport::kWebSocket)) {
      return fields.refuse("url",
                           std::string("this is no URL of its \"type\", expected one with ") +
                               (socket ? "http or https" : "ws or wss"));
    }
    for (const auto& [key, value] : read_strings(fields, "headers")) {
      if (!is_header(key, value)) fields.refuse("headers", "\"" + key + "\" is no HTTP header");
      out.headers.add(key, value);
    }
    out.tls.ca_file = beside_file(fields.string("ca_file").value_or(""));
    if (const Json* const said = fields.take("authentication")) {
      read_authentication_of(name, *said, fields, out);
    }
    config_.remotes[name] = std::move(out);
  }

  void read_authentication_of(const std::string& name, const Json& said, ObjectReader& fields,
                              transport::HttpEndpoint& remote) {
    Result<Authentication> read = read_authentication(said, os::environment_variable);
    if (!read.ok()) return fields.refuse("authentication", read.error().message);
    const auto& header = read.value().header;
    if (header && !is_header(header->first, header->second)) {
      return fields.refuse("authentication", "its \"header\" is no name of an HTTP header");
    }
    if (header) remote.headers.set(header->first, header->second);
    config_.authentications[name] = std::move(read).value();
  }

  void read_command(const std::string& name, ObjectReader& fields) {
    fields.require("command", "a program to start");
    net::Command out;
    out.argv.push_back(fields.string("command").value_or(""));
    for (std::string& word : fields.strings("args")) out.argv.push_back(std::move(word));
    for (auto& [key, value] : read_strings(fields, "env")) out.env[key] = value;
    if (const std::optional<std::string> cwd = fields.string("cwd")) out.cwd = beside_file(*cwd);
    config_.commands[name] = std::move(out);
  }

  // read_strings reads the member `key`, an object of strings by name.
  std::map<std::string, std::string> read_strings(ObjectReader& fields, std::string_view key) {
    std::map<std::string, std::string> out;
    const Json* const object = fields.object(key);
    if (object == nullptr) return out;
    ObjectReader members(*object, fields.pointer_to(key), key, problem_);
    for (const auto& [name, value] : object->items()) {
      out[name] = members.text(name).value_or("");
    }
    return out;
  }

  void read_settings(const Json& ours) {
    ObjectReader fields(ours, "/plumbline", "\"plumbline\"", problem_);
    if (const Json* const file = fields.take("policy")) {
      Result<agents::Policy, Problem> policy = agents::Policy::parse(*file);
      if (policy.ok()) {
        config_.policy = std::move(policy).value();
      } else {
        add_problem(problem_, fields.pointer_to("policy") + policy.error().pointer,
                    policy.error().message);
      }
    }
    read_timeout(fields, "connect_timeout_ms", config_.connect_timeout);
    read_timeout(fields, "request_timeout_ms", config_.request_timeout);
    config_.prefer = fields.strings("server_priority");
    for (std::size_t i = 0; i < config_.prefer.size(); ++i) {
      if (std::ranges::find(config_.servers, config_.prefer[i]) != config_.servers.end()) continue;
      add_problem(problem_, fields.pointer_to("server_priority") + "/" + std::to_string(i),
                  "\"" + config_.prefer[i] + "\", expected the name of a server of this file");
    }
    fields.finish();
  }

  static void read_timeout(ObjectReader& fields, std::string_view key, auto& timeout) {
    const std::int64_t ms_max = milliseconds_of(limits::kVirtualTimeMax);
    if (const auto ms = fields.integer(key, 1, ms_max)) timeout = std::chrono::milliseconds(*ms);
  }

  std::string beside_file(const std::string& path) const {
    const std::size_t slash = file_name_.rfind('/');
    if (path.empty() || path.starts_with('/') || slash == std::string::npos) return path;
    return file_name_.substr(0, slash + 1) + path;
  }

  const std::string& file_name_;
  std::optional<Problem>& problem_;
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
  std::optional<Problem> problem;
  Config config = Reader(file_name, problem).read(root.value());
  if (problem) return refusal(file_name, locate(text, problem->pointer), problem->message);
  return config;
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
