#include "conformance/broken/door_keeper.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/base/text.h"
#include "core/json/json.h"

namespace plumbline::conformance {

namespace {

using wire::HttpRequest;
using wire::HttpResponse;

constexpr std::string_view kScheme = "Bearer ";
constexpr std::string_view kMetadata = "/.well-known/oauth-protected-resource/mcp";
constexpr std::array<std::string_view, 4> kKnown = {kRightToken, kJwtToken, "first", "second"};

HttpResponse document(const Json& content) {
  return {200, {{"Content-Type", "application/json"}}, dump_json(content)};
}

HttpResponse refusal(const HttpRequest& request, int status, const std::string& error) {
  std::string challenge = "Bearer ";
  if (!error.empty()) challenge += "error=\"" + error + "\", ";
  challenge += "scope=\"mcp:use\", resource_metadata=\"" + origin_of(request) +
               std::string(kMetadata) + "\"";
  return {status, {{"WWW-Authenticate", std::move(challenge)}}, ""};
}

OwnResponse refuse_strangers(const HttpRequest& request) {
  if (request.target.starts_with("/.well-known/")) return HttpResponse{404, {}, ""};
  if (request.headers.count("Authorization") == 0) return refusal(request, 401, "");
  const std::string_view token = shown_token(request);
  if (token.empty()) return refusal(request, 400, "invalid_request");
  if (token == kWeakToken) return refusal(request, 403, "insufficient_scope");
  if (std::ranges::find(kKnown, token) != kKnown.end()) return std::nullopt;
  return refusal(request, 401, "invalid_token");
}

}  // namespace

std::string origin_of(const HttpRequest& request) {
  return "http://" + std::string(request.headers.get("Host").value_or(""));
}

bool asks_for(const HttpRequest& request, std::string_view path) {
  return request.method == "GET" &&
         std::string_view(request.target).substr(0, request.target.find('?')) == path;
}

std::string_view shown_token(const HttpRequest& request) {
  const std::string_view shown = request.headers.get("Authorization").value_or("");
  const bool bearer = equals_ignoring_case(shown.substr(0, kScheme.size()), kScheme);
  return bearer ? shown.substr(kScheme.size()) : std::string_view();
}

OwnResponse keep_door(HttpRequest& request) {
  if (!asks_for(request, kMetadata)) return refuse_strangers(request);
  Json metadata = Json::object();
  metadata["resource"] = origin_of(request) + "/mcp";
  metadata["authorization_servers"] = Json::array({"https://as.example"});
  metadata["scopes_supported"] = Json::array({"mcp:use"});
  return document(metadata);
}

OwnResponse keep_older_door(HttpRequest& request) {
  if (asks_for(request, "/.well-known/oauth-authorization-server")) {
    const std::string origin = origin_of(request);
    Json metadata = Json::object();
    metadata["issuer"] = origin;
    metadata["authorization_endpoint"] = origin + "/authorize";
    metadata["token_endpoint"] = origin + "/token";
    metadata["grant_types_supported"] = Json::array({"authorization_code"});
    return document(metadata);
  }
  OwnResponse answer = refuse_strangers(request);
  if (answer && answer->status == 401) {
    const bool unknown = !shown_token(request).empty();
    answer->headers.set("WWW-Authenticate", unknown ? "Bearer error=\"invalid_token\"" : "Bearer");
  }
  return answer;
}

wire::HttpHeaders bearer(std::string_view token) {
  return {{"Authorization", std::string(kScheme) + std::string(token)}};
}

Deviation at_door(std::string_view id, std::string_view revision, std::string_view what,
                  OwnResponse (*request)(HttpRequest&)) {
  Deviation deviation;
  deviation.id = id;
  deviation.revision = revision;
  deviation.transport = Transport::kHttp;
  deviation.what = what;
  deviation.request = request;
  deviation.credentials = bearer(kRightToken);
  return deviation;
}

OwnResponse with_member(OwnResponse answer, std::string_view member, Json value) {
  if (!answer || answer->status != 200) return answer;
  Result<Json> document = parse_json(answer->body);
  if (!document.ok()) return answer;
  document.value()[member] = std::move(value);
  answer->body = dump_json(document.value());
  return answer;
}

}  // namespace plumbline::conformance
