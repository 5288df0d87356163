#include "core/connector/permitted_client.h"

#include <algorithm>

namespace plumbline::connector {

std::string_view method_for(CapabilityType type) {
  if (type == CapabilityType::kTool) return "tools/call";
  return type == CapabilityType::kPrompt ? "prompts/get" : "resources/read";
}

bool PermittedClient::permits(const std::string& server, std::string_view method) const {
  const auto found = methods_.find(server);
  return found == methods_.end() || std::ranges::find(found->second, method) != found->second.end();
}

Task<Discovery> PermittedClient::discover() {
  Discovery found = co_await inner_.discover();
  for (ServerManifest& server : found.manifest.servers) {
    std::erase_if(server.capabilities, [&](const Capability& one) {
      return !permits(server.server, method_for(one.type));
    });
  }
  co_return found;
}

Task<mcp::Reply<Json>> PermittedClient::invoke(McpRequest request) {
  if (!permits(request.server, request.method)) {
    co_return mcp::Failure{mcp::Failure::Kind::kRefused,
                           "\"" + request.server + "\" may not be asked " + request.method};
  }
  mcp::Reply<Json> reply = co_await inner_.invoke(std::move(request));
  co_return reply;
}

}  // namespace plumbline::connector
