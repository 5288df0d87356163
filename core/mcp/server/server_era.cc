#include "core/mcp/server/server_era.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/mcp/protocol/log_level.h"
#include "core/mcp/protocol/meta_keys.h"

namespace plumbline::mcp {

namespace {

Failure bad_params(std::string why) { return Failure(rpc::kInvalidParams, std::move(why)); }

Json list_capability(const ServerOptions& options) {
  Json out(Json::value_t::object);
  if (options.list_changed) out["listChanged"] = true;
  return out;
}

Json version_data(const ServerOptions& options, std::string_view requested) {
  Json data(Json::value_t::object);
  data["supported"] = spoken(options);
  data["requested"] = requested;
  return data;
}

std::optional<Revision> newest_stateful(const ServerOptions& options) {
  std::optional<Revision> newest;
  for (const Revision revision : all_revisions()) {
    if (!is_stateless(revision) && speaks(options, revision)) newest = revision;
  }
  return newest;
}

}  // namespace

bool speaks(const ServerOptions& options, Revision revision) {
  const auto& listed = options.supported;
  return listed.empty() || std::find(listed.begin(), listed.end(), revision) != listed.end();
}

std::vector<std::string> spoken(const ServerOptions& options) {
  std::vector<std::string> names;
  for (const Revision revision : all_revisions()) {
    if (speaks(options, revision)) names.emplace(names.begin(), name_of(revision));
  }
  return names;
}

bool has_handshake(const ServerOptions& options) { return newest_stateful(options).has_value(); }

bool has_requests_alone(const ServerOptions& options) {
  return std::ranges::any_of(all_revisions(), [&options](Revision revision) {
    return is_stateless(revision) && speaks(options, revision);
  });
}

bool offers_tools(const ServerOptions& options) {
  return options.declare_tools || !options.tools.empty();
}

bool offers_prompts(const ServerOptions& options) {
  return options.declare_prompts || !options.prompts.empty();
}

bool offers_resources(const ServerOptions& options) {
  return options.declare_resources || !options.resources.empty() || !options.templates.empty();
}

Json server_capabilities(const ServerOptions& options, Revision revision) {
  Json out(Json::value_t::object);
  if (offers_tools(options)) out["tools"] = list_capability(options);
  if (offers_prompts(options)) out["prompts"] = list_capability(options);
  if (offers_resources(options)) {
    out["resources"] = list_capability(options);
    if (options.subscribe) out["resources"]["subscribe"] = true;
  }
  if (options.completions && has_completion_capability(revision)) {
    out["completions"] = Json::object();
  }
  if (options.logging) out["logging"] = Json::object();
  if (options.tasks.offered && has_tasks(revision)) {
    Json& tasks = out["tasks"];
    tasks["list"] = tasks["cancel"] = Json::object();
    tasks["requests"]["tools"]["call"] = Json::object();
  }
  if (options.tasks.offered && has_task_extension(revision)) {
    out["extensions"][std::string(kTaskExtension)] = Json::object();
  }
  return out;
}

Json server_info(const ServerOptions& options, Revision revision) {
  Json info(Json::value_t::object);
  info["name"] = options.name;
  info["version"] = options.version;
  if (!options.title.empty() && has_titles(revision)) info["title"] = options.title;
  if (!has_icons(revision)) return info;
  if (!options.description.empty()) info["description"] = options.description;
  if (!options.website_url.empty()) info["websiteUrl"] = options.website_url;
  if (options.icons.is_array()) info["icons"] = options.icons;
  return info;
}

bool is_stateless_request(const rpc::Request& request) {
  return find_meta(request.params, kMetaVersion) != nullptr;
}

Reply<ClientInfo> read_client(const ServerOptions& options, const rpc::Request& request) {
  const auto missing = [&request](std::string_view key) {
    return bad_params(request.method + ": _meta has no usable " + std::string(key));
  };
  const Json* const version = find_meta(request.params, kMetaVersion);
  if (version == nullptr || !version->is_string()) return missing(kMetaVersion);
  const Json* const capabilities = find_meta(request.params, kMetaCapabilities);
  if (capabilities == nullptr || !capabilities->is_object()) return missing(kMetaCapabilities);
  const std::string& name = version->get_ref<const std::string&>();
  const std::optional<Revision> revision = parse_revision(name);
  if (!revision || !is_stateless(*revision) || !speaks(options, *revision)) {
    return Failure(rpc::kUnsupportedVersion, "unsupported protocol version " + name,
                   version_data(options, name));
  }
  ClientInfo client;
  client.revision = *revision;
  client.capabilities = *capabilities;
  if (const Json* const info = find_meta(request.params, kMetaClientInfo)) {
    client.name = string_or(*info, "name", "");
    client.version = string_or(*info, "version", "");
  }
  if (const Json* const level = find_meta(request.params, kMetaLogLevel)) {
    const auto* const text = level->get_ptr<const std::string*>();
    client.log_level = text ? severity_of(*text) : std::nullopt;
    if (!client.log_level) return bad_params("unknown log level " + dump_json(*level));
  }
  return client;
}

Reply<Json> Opening::initialize(const ServerOptions& options, const Json& params) {
  const std::optional<Revision> newest = newest_stateful(options);
  const std::optional<std::string> version = find_string(params, "protocolVersion");
  if (!newest) {
    std::string why = "there is no initialize; this server speaks";
    for (const std::string& name : spoken(options)) why += " " + name;
    return Failure(rpc::kUnsupportedVersion, std::move(why),
                   version_data(options, version ? *version : ""));
  }
  if (client_) return Failure(rpc::kInvalidRequest, "initialize a second time");
  const Json* const capabilities = find(params, "capabilities");
  const Json* const info = find(params, "clientInfo");
  if (!version) return bad_params("initialize without protocolVersion");
  if (capabilities == nullptr || !capabilities->is_object()) {
    return bad_params("initialize without capabilities");
  }
  const auto name = info ? find_string(*info, "name") : std::nullopt;
  const auto number = info ? find_string(*info, "version") : std::nullopt;
  if (!name || !number) return bad_params("initialize without name and version in clientInfo");
  const std::optional<Revision> asked = parse_revision(*version);
  const bool agreed = asked && !is_stateless(*asked) && speaks(options, *asked);
  ClientInfo client;
  client.revision = agreed ? *asked : *newest;
  client.name = *name;
  client.version = *number;
  client.capabilities = *capabilities;
  client_ = std::move(client);
  Json result(Json::value_t::object);
  result["protocolVersion"] = name_of(client_->revision);
  result["capabilities"] = server_capabilities(options, client_->revision);
  result["serverInfo"] = server_info(options, client_->revision);
  if (!options.instructions.empty()) result["instructions"] = options.instructions;
  return result;
}

void Opening::hear(const rpc::Notification& notification) {
  if (client_ && notification.method == "notifications/initialized") ready_ = true;
}

}  // namespace plumbline::mcp
