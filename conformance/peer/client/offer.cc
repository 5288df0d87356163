#include "conformance/peer/client/offer.h"

#include <utility>

#include "conformance/catalogue/requirement.h"

namespace plumbline::conformance {

namespace {

Json array_of(const std::vector<Json>& items) {
  Json list = Json::array();
  for (const Json& item : items) list.push_back(item);
  return list;
}

Json listed(std::string_view member, const std::vector<Json>& items) {
  Json result(Json::value_t::object);
  result[std::string(member)] = array_of(items);
  return result;
}

Json server_info() {
  Json info(Json::value_t::object);
  info["name"] = "plumbline-judge";
  info["version"] = "1.0.0";
  return info;
}

Json opened(const Offer& offer, std::string_view revision) {
  Json result(Json::value_t::object);
  result["protocolVersion"] = std::string(revision);
  result["capabilities"] = offer.capabilities;
  result["serverInfo"] = server_info();
  return result;
}

Json discovered(const Offer& offer, std::string_view revision) {
  Json result(Json::value_t::object);
  result["supportedVersions"] = Json::array();
  result["supportedVersions"].push_back(std::string(revision));
  result["capabilities"] = offer.capabilities;
  result["serverInfo"] = server_info();
  return result;
}

Json read_result(const std::string& uri) {
  Json content(Json::value_t::object);
  content["uri"] = uri;
  content["mimeType"] = "text/plain";
  content["text"] = "the content of " + uri;
  Json result(Json::value_t::object);
  result["contents"] = Json::array();
  result["contents"].push_back(std::move(content));
  return result;
}

Json prompt_result() {
  Json message(Json::value_t::object);
  message["role"] = "user";
  message["content"]["type"] = "text";
  message["content"]["text"] = "a prompt";
  Json result(Json::value_t::object);
  result["messages"] = Json::array();
  result["messages"].push_back(std::move(message));
  return result;
}

Json completion_result() {
  Json result(Json::value_t::object);
  result["completion"]["values"] = Json::array();
  result["completion"]["values"].push_back("sample");
  return result;
}

bool cacheable(std::string_view method) {
  return method.ends_with("/list") || method == "resources/read" || method == "server/discover";
}

std::optional<Json> result_of(const Offer& offer, std::string_view revision, const Json& request) {
  const std::string method = string_or(request, "method", "");
  const bool stateless = is_stateless(revision);
  if (method == "initialize" && !stateless) return opened(offer, revision);
  if (method == "server/discover" && stateless) return discovered(offer, revision);
  if (method == "ping" && !stateless) return Json::object();
  if (method == "tools/list") return listed("tools", offer.tools);
  if (method == "tools/call") return text_result("done");
  if (method == "resources/list") return listed("resources", offer.resources);
  if (method == "resources/templates/list") return listed("resourceTemplates", offer.templates);
  if (method == "prompts/list") return listed("prompts", offer.prompts);
  if (method == "prompts/get") return prompt_result();
  if (method == "completion/complete") return completion_result();
  if (method == "resources/read") {
    const Json* const params = find(request, "params");
    return read_result(params ? string_or(*params, "uri", "") : "");
  }
  if (stateless) return std::nullopt;
  if (method == "logging/setLevel") return Json::object();
  if (method == "resources/subscribe" || method == "resources/unsubscribe") return Json::object();
  return std::nullopt;
}

}  // namespace

Json bare_tool(std::string name) {
  Json tool(Json::value_t::object);
  tool["description"] = "does nothing: " + name;
  tool["name"] = std::move(name);
  tool["inputSchema"]["type"] = "object";
  tool["inputSchema"]["properties"] = Json::object();
  tool["annotations"]["readOnlyHint"] = true;
  return tool;
}

Json plain_tool(std::string name) {
  Json tool = bare_tool(std::move(name));
  tool["description"] = "adds two numbers";
  for (const char* const operand : {"a", "b"}) {
    tool["inputSchema"]["properties"][operand]["type"] = "number";
  }
  return tool;
}

Json text_result(std::string text) {
  Json block(Json::value_t::object);
  block["type"] = "text";
  block["text"] = std::move(text);
  Json result(Json::value_t::object);
  result["content"] = Json::array();
  result["content"].push_back(std::move(block));
  return result;
}

Json completed(Json result, std::string_view revision, std::string_view method,
               std::int64_t ttl_ms) {
  if (!is_stateless(revision) || !result.is_object()) return result;
  if (find(result, "resultType") == nullptr) result["resultType"] = "complete";
  if (cacheable(method) && find(result, "ttlMs") == nullptr) {
    result["ttlMs"] = ttl_ms;
    result["cacheScope"] = "private";
  }
  return result;
}

Answer usual_answer(const Offer& offer, std::string_view revision, const Json& request) {
  const std::string method = string_or(request, "method", "");
  if (std::optional<Json> result = result_of(offer, revision, request)) {
    return Answer{completed(std::move(*result), revision, method, offer.ttl_ms), 0, "", nullptr};
  }
  if (method == "initialize") {
    Json data(Json::value_t::object);
    data["supported"] = Json::array();
    data["supported"].push_back(std::string(revision));
    data["requested"] = "";
    if (const Json* const params = find(request, "params")) {
      data["requested"] = string_or(*params, "protocolVersion", "");
    }
    return Answer{nullptr, -32022, "Unsupported protocol version", std::move(data)};
  }
  return Answer{nullptr, -32601, "Method not found: " + method, nullptr};
}

}  // namespace plumbline::conformance
