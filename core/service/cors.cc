#include "core/service/cors.h"

#include "core/base/text.h"
#include "core/mcp/protocol/mcp_headers.h"

namespace plumbline::service {

namespace {

constexpr std::string_view kAllowedHeaders =
    "Accept, Authorization, Content-Type, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, "
    "Mcp-Name, Mcp-Session-Id, X-Session-Code";
constexpr std::string_view kExposedHeaders =
    "Deprecation, Link, MCP-Protocol-Version, Mcp-Session-Id, Retry-After, Sunset, "
    "WWW-Authenticate";
constexpr std::string_view kPreflightAge = "7200";  // Seconds. What Chromium honours at most.

bool is_token(std::string_view text) {
  return text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") == std::string_view::npos;
}

// mirrored_params returns those of the headers that are asked for which mirror a tool's parameter:
// only the tool knows their names.
std::string mirrored_params(std::string_view asked) {
  const std::string prefix = lower_case(transport::kParamHeaderPrefix);
  std::string names;
  while (!asked.empty()) {
    const std::string_view part = asked.substr(0, asked.find(','));
    asked.remove_prefix(std::min(part.size() + 1, asked.size()));
    const std::string name = lower_case(trimmed(part));
    if (name.starts_with(prefix) && is_token(name)) names += ", " + name;
  }
  return names;
}

}  // namespace

void grant(const CorsPolicy& policy, const wire::HttpRequest& request, net::HttpReply& reply) {
  const auto origin = request.headers.get("Origin");
  if (!policy.access.any_origin) reply.set_header("Vary", "Origin");
  if (!origin) return;
  reply.set_header("Access-Control-Allow-Origin",
                   policy.access.any_origin ? "*" : std::string(*origin));
  if (policy.credentials && !policy.access.any_origin) {
    reply.set_header("Access-Control-Allow-Credentials", "true");
  }
  reply.set_header("Access-Control-Expose-Headers", std::string(kExposedHeaders));
}

wire::HttpResponse preflight(const wire::HttpRequest& request,
                             const std::vector<std::string>& methods) {
  std::string allowed;
  for (const std::string& method : methods) allowed += method + ", ";
  allowed += "OPTIONS";
  wire::HttpResponse response{204, {{"Allow", allowed}}, ""};
  if (!request.headers.get("Origin")) return response;
  response.headers.set("Access-Control-Allow-Methods", std::move(allowed));
  const auto asked = request.headers.get("Access-Control-Request-Headers").value_or("");
  response.headers.set("Access-Control-Allow-Headers",
                       std::string(kAllowedHeaders) + mirrored_params(asked));
  response.headers.set("Access-Control-Max-Age", std::string(kPreflightAge));
  // A page of the internet that was allowed may call a server of the private network.
  if (request.headers.get("Access-Control-Request-Private-Network")) {
    response.headers.set("Access-Control-Allow-Private-Network", "true");
  }
  return response;
}

}  // namespace plumbline::service
