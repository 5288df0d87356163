#include "core/mcp/server/client_needs.h"

#include <utility>

namespace plumbline::mcp {

namespace {

bool lacks(const Json* object, const char* key) {
  return object == nullptr || find(*object, key) == nullptr;
}

Json nested(const char* outer, const char* inner = nullptr) {
  Json out(Json::value_t::object);
  out[outer] = Json::object();
  if (inner != nullptr) out[outer][inner] = Json::object();
  return out;
}

}  // namespace

std::string capability_name(const Json& capability) {
  std::string name;
  const Json* level = &capability;
  while (level->is_object() && !level->empty()) {
    const auto first = level->begin();
    if (!name.empty()) name += ".";
    name += first.key();
    level = &first.value();
  }
  return name;
}

std::optional<Json> undeclared_capability(const ClientInfo& client, std::string_view method,
                                          const Json& params) {
  const Json& declared = client.capabilities;
  if (method == "roots/list" && lacks(&declared, "roots")) return nested("roots");
  if (method == "sampling/createMessage") {
    const Json* const sampling = find(declared, "sampling");
    if (sampling == nullptr) return nested("sampling");
    const bool tools = !lacks(&params, "tools") || !lacks(&params, "toolChoice");
    if (tools && lacks(sampling, "tools")) return nested("sampling", "tools");
  }
  if (method == "elicitation/create") {
    const Json* const elicitation = find(declared, "elicitation");
    const bool url = string_or(params, "mode", "form") == "url";
    if (elicitation == nullptr || !has_elicitation(client.revision)) {
      return url ? nested("elicitation", "url") : nested("elicitation");
    }
    if (url && (lacks(elicitation, "url") || !has_url_elicitation(client.revision))) {
      return nested("elicitation", "url");
    }
    if (!url && lacks(elicitation, "form") && !elicitation->empty()) {
      return nested("elicitation", "form");
    }
  }
  return std::nullopt;
}

Failure missing_capability_error(const std::string& method, Json missing) {
  Json data(Json::value_t::object);
  std::string why = method + ": the client has not declared " + capability_name(missing);
  data["requiredCapabilities"] = std::move(missing);
  return Failure(rpc::kMissingClientCapability, std::move(why), std::move(data));
}

std::optional<Failure> undeclared_error(const ClientInfo& client, const Ask& ask) {
  std::optional<Json> missing = undeclared_capability(client, ask.method, ask.params);
  if (!missing) return std::nullopt;
  return missing_capability_error(ask.method, *std::move(missing));
}

std::optional<Failure> missing_extension(const ClientInfo& client, std::string_view extension) {
  const Json* const declared = find(client.capabilities, "extensions");
  if (declared != nullptr && find(*declared, extension) != nullptr) return std::nullopt;
  Json missing = nested("extensions");
  missing["extensions"][std::string(extension)] = Json::object();
  return missing_capability_error("tasks", std::move(missing));
}

}  // namespace plumbline::mcp
