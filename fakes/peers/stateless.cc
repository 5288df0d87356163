#include "fakes/peers/stateless.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace plumbline::fakes {

namespace {

constexpr int kUnsupportedVersion = -32022;

constexpr const char* kMetaVersion = "io.modelcontextprotocol/protocolVersion";
constexpr const char* kMetaCapabilities = "io.modelcontextprotocol/clientCapabilities";
constexpr const char* kMetaServerInfo = "io.modelcontextprotocol/serverInfo";
constexpr const char* kMetaSubscription = "io.modelcontextprotocol/subscriptionId";

constexpr std::string_view kUpdated = "notifications/resources/updated";

struct Change {
  std::string_view method;
  const char* flag;  // Of the filter.
  const char* area;  // Of the capabilities.
};

constexpr std::array kChanges = {
    Change{"notifications/tools/list_changed", "toolsListChanged", "tools"},
    Change{"notifications/prompts/list_changed", "promptsListChanged", "prompts"},
    Change{"notifications/resources/list_changed", "resourcesListChanged", "resources"}};

constexpr std::array<std::string_view, 5> kStatefulMethods = {
    "initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"};

constexpr std::array<std::string_view, 6> kCacheable = {
    "server/discover", "tools/list",     "prompts/list",
    "resources/list",  "resources/read", "resources/templates/list"};

Answer unsupported(const ServerScript& script, const std::string& requested) {
  Json data = {{"supported", Json::array({name_of(script.revision)})}, {"requested", requested}};
  return make_error(kUnsupportedVersion, "Unsupported protocol version", std::move(data));
}

bool declares(const ServerScript& script, const char* area, const char* flag) {
  const Json* const capability = find(script.initialize_result["capabilities"], area);
  return capability != nullptr && bool_or(*capability, flag, false);
}

}  // namespace

std::optional<Answer> refuse_stateless(const ServerScript& script, std::string_view method,
                                       const Json& params) {
  if (method == "initialize") return unsupported(script, string_or(params, "protocolVersion", ""));
  static const Json kNone = Json::object();
  const Json* const found = find(params, "_meta");
  const Json& meta = found == nullptr ? kNone : *found;
  const std::optional<std::string> version = find_string(meta, kMetaVersion);
  const Json* const capabilities = find(meta, kMetaCapabilities);
  if (!version) return make_error(kInvalidParams, std::string("_meta lacks ") + kMetaVersion);
  if (capabilities == nullptr || !capabilities->is_object()) {
    return make_error(kInvalidParams, std::string("_meta lacks ") + kMetaCapabilities);
  }
  if (*version != name_of(script.revision)) return unsupported(script, *version);
  return std::nullopt;
}

bool is_stateful_method(std::string_view method) {
  return std::ranges::find(kStatefulMethods, method) != kStatefulMethods.end();
}

Answer discover(const ServerScript& script) {
  Json body = script.initialize_result;
  body.erase("serverInfo");
  body["supportedVersions"] = Json::array({name_of(script.revision)});
  return {false, std::move(body)};
}

void complete_result(const ServerScript& script, std::string_view method, Json& result) {
  if (!result.is_object() || result.contains("resultType")) return;
  result["resultType"] = "complete";
  Json& meta = result["_meta"];
  if (meta.is_null()) meta = Json::object();
  if (meta.is_object()) meta.emplace(kMetaServerInfo, script.initialize_result["serverInfo"]);
  if (std::ranges::find(kCacheable, method) == kCacheable.end()) return;
  result.emplace("ttlMs", 0);
  result.emplace("cacheScope", "private");
}

Json honoured(const ServerScript& script, const Json& params) {
  Json out = Json::object();
  const Json* const wanted = find(params, "notifications");
  if (wanted == nullptr) return out;
  for (const Change& change : kChanges) {
    if (!bool_or(*wanted, change.flag, false)) continue;
    if (declares(script, change.area, "listChanged")) out[change.flag] = true;
  }
  const Json* const uris = find(*wanted, "resourceSubscriptions");
  if (uris != nullptr && uris->is_array() && declares(script, "resources", "subscribe")) {
    out["resourceSubscriptions"] = *uris;
  }
  return out;
}

bool is_change(std::string_view method) {
  return method == kUpdated ||
         std::ranges::find(kChanges, method, &Change::method) != kChanges.end();
}

bool wants(const Json& filter, std::string_view method, const Json& params) {
  if (method == kUpdated) {
    const Json* const uris = find(filter, "resourceSubscriptions");
    return uris != nullptr &&
           std::ranges::find(*uris, Json(string_or(params, "uri", ""))) != uris->end();
  }
  const auto change = std::ranges::find(kChanges, method, &Change::method);
  return change != kChanges.end() && bool_or(filter, change->flag, false);
}

Json with_subscription(Json params, const Json& id) {
  if (params.is_null()) params = Json::object();
  params["_meta"][kMetaSubscription] = id;
  return params;
}

}  // namespace plumbline::fakes
