#include "core/connector/registry/agent_address.h"

#include <algorithm>

#include "core/auth/steps/addresses.h"
#include "core/base/text.h"
#include "core/mcp/protocol/transports.h"

namespace plumbline::registry {

namespace {

constexpr std::size_t kShownAddressBytes = 160;

std::string origin_of(const wire::Url& url) { return auth::as_http(url).origin(); }

}  // namespace

Status read_origin(std::string_view text, AllowedOrigins& into) {
  if (text == "any") {
    into.any = true;
    return Done{};
  }
  const Result<wire::Url> url = wire::parse_url(text);
  if (!url.ok()) return url.error();
  into.origins.push_back(origin_of(url.value()));
  return Done{};
}

Result<wire::Url> agent_address(const std::string& endpoint, const wire::Url& registry,
                                const AllowedOrigins& allowed) {
  const std::string shown = '"' + clipped(endpoint, kShownAddressBytes) + "\" ";
  const auto refused = [&shown](const std::string& why) {
    return Error{ErrorCode::kInvalidInput, shown + why};
  };
  if (endpoint.find_first_of("{}") != std::string::npos) {
    return refused("holds a variable, expected an address");
  }
  Result<wire::Url> url = wire::parse_url(endpoint);
  if (!url.ok()) return refused("is no address: " + url.error().message);
  const wire::Url& to = url.value();
  if (!to.secure() && !auth::is_loopback(to.host)) return refused("is neither https nor wss");
  const std::string origin = origin_of(to);
  const bool own = origin == origin_of(registry);
  if (own || std::ranges::find(allowed.origins, origin) != allowed.origins.end()) return url;
  if (!allowed.any) return refused("is at another origin than the registry, " + registry.origin());
  if (auth::is_private(to.host) && !auth::is_private(registry.host)) {
    return refused("is a private address, which " + registry.host + " must not lead to");
  }
  return url;
}

bool speaks_mcp(const AgentDescriptor& agent) {
  const auto ours = [](const std::string& protocol) {
    const std::string name = lower_case(protocol);
    return name == "mcp" || name.starts_with("mcp/") || mcp::parse_transport(name).has_value();
  };
  return agent.supported_protocols.empty() || std::ranges::any_of(agent.supported_protocols, ours);
}

}  // namespace plumbline::registry
