#include "cli/config/config.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "cli/config/document.h"
#include "cli/config/host_servers.h"
#include "cli/config/json_text.h"
#include "cli/options/nearest_ids.h"
#include "core/base/errors/errors.h"
#include "core/base/text.h"
#include "core/json/json.h"
#include "core/json/object_reader.h"
#include "core/mcp/protocol/transports.h"
#include "core/os/child/environment.h"

namespace plumbline::cli {

namespace {

// Words of ours that others hardly have: of the file, and of one server of it. Each is read in
// "plumbline" alone.
constexpr std::string_view kOurs = "plumbline";
constexpr std::array<std::string_view, 6> kOfOurs = {
    "policy",   "connect_timeout_ms", "request_timeout_ms",
    "registry", "server_priority",    "server_preferences"};
constexpr std::array<std::string_view, 3> kOfAgent = {"connection", "capabilities", "policy"};

bool is_ascii_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Reader turns one parsed file into a Config. The first thing that is wrong is `problem`.
class Reader {
 public:
  // `names` are those of all servers of the file, read or not.
  Reader(const std::string& file_name, const std::vector<std::string>& names,
         std::optional<Problem>& problem, Config so_far)
      : file_name_(file_name), names_(names), problem_(problem), config_(std::move(so_far)) {}

  Config read(const Json& root) {
    ObjectReader file(root, "", "a configuration", problem_);
    if (file.has("agentId")) {
      read_agent(file);
    } else if (!file.has("mcpServers") && (file.has("mcp") || file.has("security"))) {
      read_settings(file, config_.settings, problem_);
      file.finish();
    } else {
      read_servers(root, file);
    }
    return std::move(config_);
  }

 private:
  void read_servers(const Json& root, ObjectReader& file) {
    refuse_ours(root, file, kOfOurs, "in \"plumbline\"");
    refuse_settings(root, file);
    file.require("mcpServers", "an object of servers by name, or the \"agentId\" of one",
                 "config.object");
    if (const Json* const servers = file.object("mcpServers")) {
      for (const auto& [name, entry] : servers->items()) read_server(name, entry);
    }
    if (const Json* const ours = file.take("plumbline")) read_ours(*ours);
  }

  // The file of one agent is ours: it holds nothing that we do not know.
  void read_agent(ObjectReader& file) {
    const std::string name = file.string("agentId").value_or("");
    if (!file.has("command")) file.require("endpoint", "an address, or a \"command\"");
    read_place(name, file, "endpoint");
    config_.agents[name] = read_agent_settings(file);
    file.finish();
  }

  // refuse_ours refuses words of ours where nobody reads them, and "plumbline" misspelt. What
  // others keep beside is left alone.
  static void refuse_ours(const Json& said, ObjectReader& fields,
                          std::span<const std::string_view> ours, const std::string& where) {
    const auto* const members = said.get_ptr<const Json::object_t*>();
    if (members == nullptr) return;
    for (const auto& [key, value] : *members) {
      if (std::ranges::find(ours, key) != ours.end()) {
        fields.refuse(key, the_error("config.misplaced", '"' + key + '"', where));
      } else if (key != kOurs && !nearest_ids(lower_case(key), {std::string(kOurs)}).empty()) {
        fields.refuse(key, the_error("config.plumbline-misspelt", key));
      }
    }
  }

  // refuse_settings does so for sections that are ours by what they hold: others have an "mcp".
  static void refuse_settings(const Json& root, ObjectReader& file) {
    for (const Setting& setting : all_settings()) {
      const std::string section(setting.section.substr(0, setting.section.find('.')));
      const Json* const said = find(root, section);
      if (said == nullptr || find(*said, setting.key) == nullptr) continue;
      const std::string what =
          '"' + section + "\" has our \"" + std::string(setting.key) + "\" and";
      file.refuse(section, the_error("config.misplaced", what, "in \"plumbline\""));
    }
  }

  // What others keep with a server is left alone: its unknown keys are no problem.
  void read_server(const std::string& name, const Json& entry) {
    ObjectReader fields(entry, "/mcpServers/" + pointer_token(name), "server \"" + name + "\"",
                        problem_);
    refuse_ours(entry, fields, kOfAgent, "in \"plumbline\" of the server");
    read_place(name, fields, "url");
    if (const Json* const ours = fields.object("plumbline")) {
      ObjectReader members(*ours, fields.pointer_to("plumbline"), "\"plumbline\"", problem_);
      config_.agents[name] = read_agent_settings(members);
      members.finish();
    }
  }

  // read_place reads where a server is: `url_key` is what the member with its address is called.
  void read_place(const std::string& name, ObjectReader& fields, std::string_view url_key) {
    const std::string what = "server \"" + name + "\"";
    if (config_.replaces) forget_server(config_, name, file_name_);
    if (std::ranges::find(config_.servers, name) != config_.servers.end()) {
      add_problem(problem_, fields.pointer(), what + " is configured already");
    }
    const std::optional<std::string> type = fields.string("type");
    const std::optional<mcp::Transport> transport = mcp::parse_transport(type.value_or(""));
    if (type && !transport) {
      fields.refuse("type", what + " is of type \"" + *type +
                                "\", expected stdio, http, streamable-http, sse or ws");
    }
    const bool remote = type ? transport != mcp::Transport::kStdio : !fields.has("command");
    if (remote && (type || fields.has(url_key))) {
      read_remote(name, fields, url_key, transport);
    } else {
      read_command(name, fields);
    }
    config_.servers.push_back(name);
  }

  void read_remote(const std::string& name, ObjectReader& fields, std::string_view url_key,
                   std::optional<mcp::Transport> transport) {
    if (!fields.require(url_key, "an address to connect to")) return;
    Result<wire::Url> url = wire::parse_url(fields.string(url_key).value_or(""));
    if (!url.ok()) return fields.refuse(url_key, url.error().message);
    transport::HttpEndpoint out;
    out.url = std::move(url).value();
    const bool socket = out.url.scheme.starts_with("ws");
    out.transport = socket && !transport ? mcp::Transport::kWebSocket : transport;
    if (socket != (out.transport == mcp::Transport::kWebSocket)) {
      return fields.refuse(url_key,
                           std::string("this is no URL of its \"type\", expected one with ") +
                               (socket ? "http or https" : "ws or wss"));
    }
    out.headers = read_headers(fields);
    out.tls.ca_file = beside_file(fields.string("ca_file").value_or(""));
    if (const Json* const said = fields.take("authentication")) {
      read_authentication_of(name, *said, fields, out);
    }
    config_.remotes[name] = std::move(out);
  }

  wire::HttpHeaders read_headers(ObjectReader& fields) {
    wire::HttpHeaders out;
    for (const auto& [key, value] : read_strings(fields, "headers")) {
      if (!is_header(key, value)) fields.refuse("headers", "\"" + key + "\" is no HTTP header");
      out.add(key, value);
    }
    return out;
  }

  void read_registry(const Json& said, const std::string& pointer) {
    ObjectReader fields(said, pointer, "a registry", problem_);
    Result<wire::Url> url = read_registry_url(fields.required_string("url"));
    if (!url.ok()) return fields.refuse("url", url.error().message);
    RegistrySource out;
    out.url = std::move(url).value();
    out.headers = read_headers(fields);
    const std::vector<std::string> allow = fields.strings("allow");
    for (std::size_t i = 0; i < allow.size(); ++i) {
      const Status read = registry::read_origin(allow[i], out.allowed);
      if (read.ok()) continue;
      add_problem(problem_, fields.pointer_to("allow") + '/' + std::to_string(i),
                  read.error().message + ", expected an origin or \"any\"");
    }
    fields.finish();
    config_.registry = std::move(out);
  }

  void read_authentication_of(const std::string& name, const Json& said, ObjectReader& fields,
                              transport::HttpEndpoint& remote) {
    Authentication read = read_authentication(said, fields.pointer_to("authentication"),
                                              os::environment_variable, problem_);
    const auto& header = read.header;
    if (header && !is_header(header->first, header->second)) {
      return fields.refuse("authentication", "its \"header\" is no name of an HTTP header");
    }
    if (header) remote.headers.set(header->first, header->second);
    config_.authentications[name] = std::move(read);
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

  void read_ours(const Json& ours) {
    ObjectReader fields(ours, "/plumbline", "\"plumbline\"", problem_);
    read_settings(fields, config_.settings, problem_);
    if (const Json* const file = fields.take("policy")) {
      Result<agents::Policy, Problem> policy = agents::Policy::parse(*file);
      if (policy.ok()) {
        config_.policy = std::move(policy).value();
      } else {
        add_problem(problem_, fields.pointer_to("policy") + policy.error().pointer,
                    policy.error().message);
      }
    }
    read_timeout(fields, "connect_timeout_ms", config_.settings.connection_timeout);
    read_timeout(fields, "request_timeout_ms", config_.request_timeout);
    if (const Json* const said = fields.take("registry")) {
      read_registry(*said, fields.pointer_to("registry"));
    }
    if (const Json* const said = fields.take("model")) {
      config_.advisor = read_chat_model(*said, fields.pointer_to("model"), file_name_, problem_);
    }
    const bool other = fields.has("server_preferences");  // The document has both names.
    const char* const key = other ? "server_preferences" : "server_priority";
    if (other && fields.has("server_priority")) {
      fields.refuse(key, "is the same as \"server_priority\", expected one of them");
    }
    if (fields.has(key)) config_.prefer = fields.strings(key);
    for (std::size_t i = 0; i < config_.prefer.size(); ++i) {
      if (config_.registry) break;  // It may be one that the registry tells of.
      if (std::ranges::find(config_.servers, config_.prefer[i]) != config_.servers.end()) continue;
      if (std::ranges::find(names_, config_.prefer[i]) != names_.end()) continue;
      add_problem(problem_, fields.pointer_to(key) + "/" + std::to_string(i),
                  "\"" + config_.prefer[i] + "\", expected the name of a server of this file");
    }
    fields.finish();
  }

  static void read_timeout(ObjectReader& fields, std::string_view key, auto& timeout) {
    const std::int64_t ms_max = milliseconds_of(limits::kVirtualTimeMax);
    const Json* const said = fields.take(key);
    if (said != nullptr && said->is_string()) {
      if (const auto span = fields.milliseconds(key)) timeout = *span;
      return;
    }
    if (const auto ms = fields.integer(key, 1, ms_max)) timeout = std::chrono::milliseconds(*ms);
  }

  std::string beside_file(const std::string& path) const { return beside(file_name_, path); }

  const std::string& file_name_;
  const std::vector<std::string>& names_;
  std::optional<Problem>& problem_;
  Config config_;
};

}  // namespace

ChatModel read_chat_model(const Json& said, std::string pointer, const std::string& file_name,
                          std::optional<Problem>& problem) {
  ObjectReader reader(said, std::move(pointer), "the model", problem);
  ChatModel out;
  const std::optional<std::string> script = reader.string("script");
  const std::optional<std::string> settings = reader.string("settings");
  if (script) out.script = beside(file_name, *script);
  if (settings) out.settings = beside(file_name, *settings);
  out.name = reader.string("name").value_or("");
  out.role = reader.string("role").value_or(out.role);
  if (script && (settings || !out.name.empty())) {
    reader.refuse("script", "a script stands beside a real model, expected one of them");
  }
  reader.finish();
  return out;
}

bool is_header(std::string_view name, std::string_view value) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  const bool token = !name.empty() && std::ranges::all_of(name, [&](char c) {
    return is_ascii_letter_or_digit(c) || kMarks.find(c) != std::string_view::npos;
  });
  return token &&
         std::ranges::none_of(value, [](char c) { return c == '\r' || c == '\n' || c == 0; });
}

Result<Config> parse_config(std::string_view text, const std::string& file_name, Config so_far) {
  return parse_config(text, file_name, std::move(so_far), our_surroundings(file_name));
}

Result<Config> parse_config(std::string_view said, const std::string& file_name, Config so_far,
                            const Surroundings& around) {
  const std::string text = is_toml(file_name) ? std::string(said) : without_extras(said);
  const auto place_of = [&file_name](Position at) {
    return file_name + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": ";
  };
  Position failed_at;
  const Result<Document> document = read_document(text, file_name, failed_at);
  if (!document.ok()) return behind(place_of(failed_at), document.error(), "file.where");
  const auto place_in = [&](const HostServers& servers, const Problem& problem) {
    return place_of(document.value().locate(servers.said_at(problem.pointer)));
  };
  std::optional<Problem> problem;
  const HostServers servers = read_host_servers(document.value().root, file_name, around, problem);
  Config config = Reader(file_name, servers.names, problem, std::move(so_far)).read(servers.root);
  if (problem) return as_error(place_in(servers, *problem), *problem);
  for (const Problem& note : servers.notes)
    config.notes.push_back(place_in(servers, note) + note.message);
  config.left_out.insert(servers.left_out.begin(), servers.left_out.end());
  config.secrets.insert(config.secrets.end(), servers.secrets.begin(), servers.secrets.end());
  return config;
}

Result<wire::Url> read_registry_url(std::string_view text) {
  Result<wire::Url> url = wire::parse_url(text);
  if (url.ok() && !url.value().scheme.starts_with("http")) {
    return the_error("config.scheme");
  }
  return url;
}

Status keep_servers(Config& config, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (const auto out = config.left_out.find(name); out != config.left_out.end()) {
      return the_error("config.left-out", name, out->second);
    }
    if (std::ranges::find(config.servers, name) == config.servers.end()) {
      return the_error("target.no-such-server", std::string("server ") + name, "configuration has",
                       std::string("server") + did_you_mean(name, config.servers));
    }
  }
  if (names.empty()) return Done{};
  std::erase_if(config.servers, [&](const std::string& server) {
    return std::ranges::find(names, server) == names.end();
  });
  return Done{};
}

std::map<std::string, std::vector<std::string>> permitted_methods(const Config& config) {
  std::map<std::string, std::vector<std::string>> methods;
  for (const auto& [agent, said] : config.agents) {
    if (said.capabilities) methods[agent] = *said.capabilities;
  }
  return methods;
}

Secrets secrets_of(const Config& config) {
  Secrets secrets;
  for (const std::string& secret : config.secrets) secrets.add(secret);
  for (const auto& [server, command] : config.commands) {
    secrets.add_words(command.argv);
    secrets.add_variables(command.env);
  }
  if (config.registry) {
    for (const auto& [name, value] : config.registry->headers.fields()) {
      secrets.add_words({name + ": " + value});
    }
    secrets.add_words({config.registry->url.origin() + config.registry->url.target});
  }
  for (const auto& [server, remote] : config.remotes) {
    for (const auto& [name, value] : remote.headers.fields()) {
      secrets.add_words({name + ": " + value});
    }
    secrets.add_words({remote.url.origin() + remote.url.target});
  }
  for (const auto& [server, said] : config.authentications) {
    if (!said.secret.empty()) secrets.add(said.secret);
    const bool written = !said.client_secret.empty() && !said.client_secret.starts_with("${");
    if (written) secrets.add(said.client_secret);
  }
  return secrets;
}

}  // namespace plumbline::cli
