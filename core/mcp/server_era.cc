#include "core/mcp/server_era.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace plumbline::mcp {

namespace {

std::vector<Revision> spoken(const ServerOptions& options) {
  if (!options.supported.empty()) return options.supported;
  return {all_revisions().begin(), all_revisions().end()};
}

Json list_capability(const ServerOptions& options) {
  Json out(Json::value_t::object);
  if (options.list_changed) out["listChanged"] = true;
  return out;
}

class StatefulServerEra final : public ServerEra {
 public:
  Admission admit(const ServerOptions& options, const rpc::Request& request) override {
    if (request.method == "initialize") return initialize(options, request.params);
    if (!client_ && request.method != "ping") {
      return Reply<Json>(Failure(rpc::kInvalidRequest, request.method + " before initialize"));
    }
    return client_ ? &*client_ : &stranger_;
  }

  void hear(const rpc::Notification& notification) override {
    if (client_ && notification.method == "notifications/initialized") ready_ = true;
  }

  const ClientInfo* client() const override { return client_ ? &*client_ : nullptr; }
  bool ready() const override { return ready_; }

 private:
  // Spec 2025-11-25, basic/lifecycle, Initialization and Version Negotiation (MUST).
  Reply<Json> initialize(const ServerOptions& options, const Json& params) {
    if (client_) return Failure(rpc::kInvalidRequest, "initialize a second time");
    const std::optional<std::string> version = find_string(params, "protocolVersion");
    const Json* const capabilities = find(params, "capabilities");
    const Json* const info = find(params, "clientInfo");
    if (!version) return Failure(rpc::kInvalidParams, "initialize without protocolVersion");
    if (capabilities == nullptr || !capabilities->is_object()) {
      return Failure(rpc::kInvalidParams, "initialize without capabilities");
    }
    const auto name = info ? find_string(*info, "name") : std::nullopt;
    const auto number = info ? find_string(*info, "version") : std::nullopt;
    if (!name || !number) {
      return Failure(rpc::kInvalidParams, "initialize without name and version in clientInfo");
    }
    const std::vector<Revision> ours = spoken(options);
    const std::optional<Revision> asked = parse_revision(*version);
    ClientInfo client;
    client.revision = *std::max_element(ours.begin(), ours.end());
    if (asked && std::find(ours.begin(), ours.end(), *asked) != ours.end()) {
      client.revision = *asked;
    }
    client.name = *name;
    client.version = *number;
    client.capabilities = *capabilities;
    client_ = std::move(client);
    return welcome(options);
  }

  Json welcome(const ServerOptions& options) const {
    Json info(Json::value_t::object);
    info["name"] = options.name;
    info["version"] = options.version;
    if (!options.title.empty() && has_titles(client_->revision)) info["title"] = options.title;
    Json result(Json::value_t::object);
    result["protocolVersion"] = name_of(client_->revision);
    result["capabilities"] = server_capabilities(options, client_->revision);
    result["serverInfo"] = std::move(info);
    if (!options.instructions.empty()) result["instructions"] = options.instructions;
    return result;
  }

  std::optional<ClientInfo> client_;
  bool ready_ = false;
  const ClientInfo stranger_;  // Who pings before initialize.
};

}  // namespace

Json server_capabilities(const ServerOptions& options, Revision revision) {
  Json out(Json::value_t::object);
  if (options.declare_tools || !options.tools.empty()) out["tools"] = list_capability(options);
  if (options.declare_prompts || !options.prompts.empty()) {
    out["prompts"] = list_capability(options);
  }
  if (options.declare_resources || !options.resources.empty() || !options.templates.empty()) {
    out["resources"] = list_capability(options);
    if (options.subscribe) out["resources"]["subscribe"] = true;
  }
  if (options.completions && has_completion_capability(revision)) {
    out["completions"] = Json::object();
  }
  if (options.logging) out["logging"] = Json::object();
  return out;
}

std::unique_ptr<ServerEra> stateful_server_era() { return std::make_unique<StatefulServerEra>(); }

}  // namespace plumbline::mcp
