#include "cli/connect/found_agents.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/errors/errors.h"
#include "core/connector/registry/discovery.h"
#include "core/os/interrupt.h"
#include "core/os/random.h"

namespace plumbline::cli {

namespace {

void tell_what_was_found(const registry::Listed& listed, Host& host) {
  for (const std::string& line : listed.refused) host.tell_line("note: not used: " + line);
  for (const std::string& line : listed.warnings) host.tell_line("warning: " + line);
  if (!listed.cut.empty()) host.tell_line("note: the registry's list is not whole: " + listed.cut);
}

}  // namespace

Status add_found(Config& config, Host& host) {
  if (!config.registry) return Done{};
  const RegistrySource& source = *config.registry;
  registry::DiscoveryOptions options;
  options.allowed = source.allowed;
  options.headers = source.headers;
  options.known = config.servers;
  os::RealLoop& loop = host.world().loop();
  registry::AgentDiscoveryService service(loop, host.world().network(), os::random_bytes,
                                          host.secrets().redactor(), std::move(options));
  const os::Interrupt interrupt(loop, [&loop](int) { loop.stop(); });
  const std::optional<Result<registry::Discovered>> found =
      os::run(loop, service.discover_agents(source.url));
  if (!found) {
    return the_error_as(ErrorCode::kDisconnected, "cli.interrupted",
                        " while the registry was asked");
  }
  if (!found->ok()) {
    return the_error_as(ErrorCode::kDisconnected, "registry.answer", found->error().message);
  }
  const registry::Listed& listed = found->value().listed;
  tell_what_was_found(listed, host);
  for (const auto& [id, agent] : listed.agents) {
    if (std::ranges::find(config.servers, id) != config.servers.end()) {
      host.tell_line("note: not used: agent \"" + id + "\": a server of the file is called so");
      continue;
    }
    transport::HttpEndpoint endpoint;
    endpoint.url = agent.address;
    if (endpoint.url.scheme.starts_with("ws")) endpoint.transport = mcp::Transport::kWebSocket;
    config.remotes[id] = std::move(endpoint);
    config.servers.push_back(id);
  }
  return Done{};
}

}  // namespace plumbline::cli
