#include "core/mcp/client_era.h"

#include <algorithm>
#include <utility>

#include "core/mcp/methods.h"

namespace plumbline::mcp {

namespace {

using Kind = Failure::Kind;

Json client_capabilities(const ClientOptions& options) {
  Json out(Json::value_t::object);
  if (options.on_list_roots) {
    out["roots"] = Json::object();
    if (options.roots_list_changed) out["roots"]["listChanged"] = true;
  }
  if (options.on_sample) {
    out["sampling"] = Json::object();
    if (options.sampling_tools && has_sampling_tools(options.preferred)) {
      out["sampling"]["tools"] = Json::object();
    }
  }
  if (options.on_elicit && has_elicitation(options.preferred)) {
    out["elicitation"] = Json::object();
    if (options.url_elicitation && has_url_elicitation(options.preferred)) {
      out["elicitation"]["form"] = Json::object();
      out["elicitation"]["url"] = Json::object();
    }
  }
  if (options.experimental.is_object()) out["experimental"] = options.experimental;
  return out;
}

bool supports(const ClientOptions& options, Revision revision) {
  const auto& listed = options.supported;
  return listed.empty() || revision == options.preferred ||
         std::find(listed.begin(), listed.end(), revision) != listed.end();
}

class StatefulEra final : public ClientEra {
 public:
  Opening opening(const ClientOptions& options) const override {
    Json info(Json::value_t::object);
    info["name"] = options.client_name;
    info["version"] = options.client_version;
    if (!options.client_title.empty() && has_titles(options.preferred)) {
      info["title"] = options.client_title;
    }
    Json params(Json::value_t::object);
    params["protocolVersion"] = name_of(options.preferred);
    params["capabilities"] = client_capabilities(options);
    params["clientInfo"] = std::move(info);
    return Opening{"initialize", std::move(params)};
  }

  // Spec 2025-11-25, basic/lifecycle, Version Negotiation (SHOULD disconnect from a server whose
  // version is not supported; MUST in the comment of the schema).
  Reply<ServerInfo> read_opening(const ClientOptions& options, Json result) const override {
    const auto invalid = [](std::string why) {
      return Failure(Kind::kInvalidReply, "initialize: " + std::move(why));
    };
    const std::optional<std::string> version = find_string(result, "protocolVersion");
    if (!version) return invalid("no string protocolVersion");
    const std::optional<Revision> revision = parse_revision(*version);
    if (!revision || is_stateless(*revision) || !supports(options, *revision)) {
      return Failure(Kind::kRefused, "the server speaks only protocol version " +
                                         dump_json(Json(*version)) + ", which we do not");
    }
    const Json* const capabilities = find(result, "capabilities");
    if (capabilities == nullptr || !capabilities->is_object()) {
      return invalid("no object capabilities");
    }
    const Json* const info = find(result, "serverInfo");
    if (info == nullptr || !info->is_object()) return invalid("no object serverInfo");
    const std::optional<std::string> name = find_string(*info, "name");
    const std::optional<std::string> number = find_string(*info, "version");
    if (!name || !number) return invalid("serverInfo has no name or no version");
    ServerInfo out;
    out.revision = *revision;
    out.name = *name;
    out.version = *number;
    out.instructions = string_or(result, "instructions", "");
    out.capabilities = std::move(result["capabilities"]);
    return out;
  }

  std::optional<rpc::Notification> confirmation() const override {
    return rpc::Notification{"notifications/initialized", nullptr};
  }

  void dress(Json&) const override {}

  Reply<Json> read_result(std::string_view method, Json result) const override {
    if (std::optional<std::string> what = result_problem(method, result)) {
      return Failure(Kind::kInvalidReply, std::string(method) + ": " + *std::move(what));
    }
    return result;
  }

  bool server_may_ask() const override { return true; }
};

}  // namespace

std::unique_ptr<ClientEra> stateful_era() { return std::make_unique<StatefulEra>(); }

}  // namespace plumbline::mcp
