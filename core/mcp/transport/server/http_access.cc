#include "core/mcp/transport/server/http_access.h"

#include <algorithm>
#include <utility>

#include "core/net/http_answer.h"
#include "core/wire/url.h"

namespace plumbline::transport {

namespace {

bool names_host(const std::vector<std::string>& hosts, std::string_view host) {
  return std::ranges::find(hosts, host) != hosts.end();
}

// is_origin_allowed takes an origin apart only to compare its host.
bool is_origin_allowed(std::string_view origin, const HttpAccess& access) {
  if (access.any_origin) return true;
  if (std::ranges::find(access.origins, origin) != access.origins.end()) return true;
  const Result<wire::Url> url = wire::parse_url(origin);
  return url.ok() && url.value().origin() == origin && names_host(access.hosts, url.value().host);
}

bool is_host_allowed(std::string_view host, const HttpAccess& access) {
  if (names_host(access.hosts, host)) return true;
  const Result<wire::Url> url = wire::parse_url("http://" + std::string(host));
  return url.ok() && names_host(access.hosts, url.value().host);
}

wire::HttpResponse plain(int status, std::string text) {
  return {status, {{"Content-Type", "text/plain; charset=utf-8"}}, std::move(text)};
}

}  // namespace

std::optional<wire::HttpResponse> refuse_stranger(const wire::HttpRequest& request,
                                                  const HttpAccess& access) {
  if (const auto origin = request.headers.get("Origin")) {
    if (!is_origin_allowed(*origin, access)) {
      return refusal(403, rpc::kInvalidRequest, "this Origin may not call");
    }
  }
  if (access.hosts.empty()) return std::nullopt;
  const auto host = request.headers.get("Host");
  if (host && is_host_allowed(*host, access)) return std::nullopt;
  return refusal(403, rpc::kInvalidRequest, "this Host is not served");
}

bool accepts(const wire::HttpRequest& request, std::string_view type) {
  const std::string any = std::string(type.substr(0, type.find('/'))) + "/*";
  for (const auto& [name, value] : request.headers.fields()) {
    if (!net::is_media_type(name, "Accept")) continue;
    std::string_view rest = value;
    while (!rest.empty()) {
      const std::size_t comma = rest.find(',');
      std::string_view range = rest.substr(0, comma);
      range.remove_prefix(std::min(range.find_first_not_of(" \t"), range.size()));
      if (net::is_media_type(range, type) || net::is_media_type(range, any) ||
          net::is_media_type(range, "*/*")) {
        return true;
      }
      rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
  }
  return false;
}

Result<Json, wire::HttpResponse> read_posted_json(const wire::HttpRequest& request) {
  if (!net::is_media_type(request.headers.get("Content-Type").value_or(""), "application/json")) {
    return plain(415, "Content-Type must be application/json\n");
  }
  Result<Json> message = parse_json(request.body);
  if (message.ok()) return std::move(message).value();
  return refusal(400, rpc::kParseError, message.error().message);
}

wire::HttpResponse refusal(int status, std::int64_t code, std::string_view message,
                           const Json& id) {
  return json_answer(
      status, {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
}

wire::HttpResponse not_allowed(std::string methods) {
  return {405, {{"Allow", std::move(methods)}}, ""};
}

wire::HttpResponse json_answer(int status, const Json& message) {
  wire::HttpResponse response{status, {{"Content-Type", "application/json"}}, ""};
  append_json(response.body, message);
  return response;
}

}  // namespace plumbline::transport
