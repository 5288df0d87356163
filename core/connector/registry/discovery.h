// AgentDiscoveryService finds agents that nobody has configured: it asks a registry for them, and
// the agents themselves what they can do.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/base/random_bytes.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/connector/mcp_client.h"
#include "core/connector/registry/listing.h"
#include "core/json/redactor.h"
#include "core/net/http_client.h"
#include "core/net/network.h"

namespace plumbline::registry {

struct DiscoveryOptions {
  AllowedOrigins allowed;
  std::vector<std::string> known;  // Names that none of the registry's should look like.
  wire::HttpHeaders headers;       // Sent to the registry, and to nobody else.
  net::TlsClient tls;              // Towards the registry and the agents.
  ListingBounds bounds;
  Duration page_timeout = std::chrono::seconds(15);
  Duration agent_timeout = limits::kConnectTimeout;  // Of connecting to one and asking it.
};

// Discovered is what one look at a registry brought.
struct Discovered {
  Listed listed;
  Changes changes;  // Since the look before.
};

// Validity is whether an agent is what its descriptor says: `problems` is empty then.
struct Validity {
  std::vector<std::string> problems;

  bool valid() const { return problems.empty(); }
};

class AgentDiscoveryService {
 public:
  // All references must outlive the service. `redactor` takes secrets out of what agents say.
  AgentDiscoveryService(Loop& loop, net::Network& network, RandomBytes random,
                        const Redactor& redactor, DiscoveryOptions options);

  // discover_agents asks `registry` (GET) for all it lists. A registry that was asked before is
  // asked whether it has changed (If-None-Match) where it said how. An Error: it cannot be reached,
  // does not answer in time, or with no list; its agents are those of the look before, then. Those
  // that a listing that is cut no longer names stay as well. Takes at most
  // bounds.pages_max times page_timeout.
  Task<Result<Discovered>> discover_agents(wire::Url registry);

  // find returns what the last look has shown of agent `id`, nullptr where it was not there. Valid
  // until the next discover_agents.
  const Agent* find(const std::string& id) const;

  // validate_agent returns whether a discovered agent can be reached, is of the version that its
  // descriptor says, and lists what that promises. kInvalidInput: there is no such agent.
  Task<Result<Validity>> validate_agent(std::string id);

  // agent_capabilities asks the agent what it can do. kInvalidInput: there is no such agent;
  // kDisconnected: it could not be asked, or not for all.
  Task<Result<std::vector<Capability>>> agent_capabilities(std::string id);

 private:
  Task<Status> read_pages(Listing& listing, std::string etag, bool& unchanged);
  Task<connector::Discovery> ask(std::string id, wire::Url address);

  Loop& loop_;
  net::Network& network_;
  RandomBytes random_;
  const Redactor& redactor_;
  DiscoveryOptions options_;
  net::HttpClient http_;
  std::optional<wire::Url> registry_;  // Of `last_`.
  Listed last_;
};

}  // namespace plumbline::registry
