#include "cli/connect/hub_options.h"

#include "core/os/random.h"

namespace plumbline::cli {

connector::HubOptions hub_options_of(const Config& config) {
  connector::HubOptions options;
  options.servers = config.servers;
  options.connect_timeout = config.settings.connection_timeout;
  options.request_timeout = config.request_timeout;
  options.pool.connections_max = static_cast<std::size_t>(config.settings.connections_max);
  options.pool.heartbeat_interval = config.settings.heartbeat_interval;
  options.rate = rate_of(config.settings);
  for (const auto& [agent, said] : config.agents) {
    options.agents[agent] = {agent, said.timeout, std::nullopt, said.retries};
  }
  for (const char c : os::random_bytes(sizeof options.seed)) {
    options.seed = options.seed << 8U | static_cast<unsigned char>(c);
  }
  options.client.preferred = mcp::kLatest;  // Older servers are found out by the probe.
  return options;
}

}  // namespace plumbline::cli
