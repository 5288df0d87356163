#include "scenarios/fleet/fleet_registry.h"

#include <utility>

namespace plumbline::scenarios {

namespace {

constexpr const char* kRegistryUrl = "http://registry.example/agents?limit=10000";

registry::DiscoveryOptions discovery_options() {
  registry::DiscoveryOptions options;
  options.allowed.any = true;
  return options;
}

Json entry(const std::string& id, const std::string& endpoint) {
  Json out = Json::object();
  out["id"] = id;
  out["endpoint"] = endpoint;
  return out;
}

// Nobody draws anything: what is random of the agents is not met here.
std::string no_random(std::size_t bytes) { return std::string(bytes, 'r'); }

}  // namespace

FleetRegistry::FleetRegistry(Loop& loop, const Rng& rng, const Redactor& redactor,
                             std::size_t agents)
    : agents_(agents),
      network_(loop, fakes::PipeOptions{}, rng.fork("registry")),
      server_(loop, *this, net::HttpAccess::anybody()),
      listener_(network_
                    .listen({"registry.example", 80}, std::nullopt,
                            [this](auto pipe) { server_.accept(std::move(pipe)); })
                    .value()),
      service_(loop, network_, no_random, redactor, discovery_options()) {}

FleetRegistry::~FleetRegistry() = default;

Json FleetRegistry::list() const {
  Json out = Json::array();
  for (std::size_t i = 0; i < agents_; ++i) {
    if (shrinks > 0 && i % 2 == 1) continue;
    const std::string name = name_of(i);
    out.push_back(entry(name, "https://" + name + ".example/mcp"));
  }
  if (lies == 0) return out;
  out.push_back(entry("inside", "http://10.0.0.1/mcp"));
  out.push_back(entry("here", "http://127.0.0.1:1/mcp"));
  out.push_back(entry("nowhere", "gopher://nowhere.example/"));
  out.push_back(entry("template", "https://{region}.example/mcp"));
  out.push_back(entry(name_of(0), "https://somebody-else.example/mcp"));
  out.push_back(7);
  return out;
}

void FleetRegistry::on_request(wire::HttpRequest /*request*/, net::HttpReply reply) {
  if (hangs > 0) {
    held_.push_back(std::move(reply));
    return;
  }
  wire::HttpResponse response;
  response.headers.set("Content-Type", "application/json");
  response.body = dump_json(list());
  reply.respond(response);
}

Task<void> FleetRegistry::refresh(connector::AgentConnector& connector) {
  ++looks_;
  wire::Url url = wire::parse_url(kRegistryUrl).value();
  const Result<registry::Discovered> found = co_await service_.discover_agents(std::move(url));
  held_.clear();
  if (!found.ok()) {
    ++failed_;
    co_return;
  }
  refused_ += static_cast<std::int64_t>(found.value().listed.refused.size());
  for (const std::string& gone : found.value().changes.removed) connector.remove(gone);
  for (const std::string& added : found.value().changes.added) {
    connector::AgentConfig config;
    config.agent = added;
    connector.add(std::move(config));
  }
}

}  // namespace plumbline::scenarios
