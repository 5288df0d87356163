#include "core/connector/registry/discovery.h"

#include <utility>

#include "core/base/text.h"
#include "core/connector/mcp_hub.h"
#include "core/mcp/transport/http_connector.h"

namespace plumbline::registry {

namespace {

constexpr int kNotModified = 304;

net::HttpClientOptions towards(const net::TlsClient& tls) {
  net::HttpClientOptions options;
  options.tls = tls;
  return options;
}

std::string told(const connector::DiscoveryProblem& problem) { return problem.message; }

}  // namespace

AgentDiscoveryService::AgentDiscoveryService(Loop& loop, net::Network& network, RandomBytes random,
                                             const Redactor& redactor, DiscoveryOptions options)
    : loop_(loop),
      network_(network),
      random_(std::move(random)),
      redactor_(redactor),
      options_(std::move(options)),
      http_(loop, network, towards(options_.tls)) {}

Task<Status> AgentDiscoveryService::read_pages(Listing& listing, std::string etag,
                                               bool& unchanged) {
  while (const std::optional<wire::Url> page = listing.next()) {
    wire::HttpRequest request;
    request.method = "GET";
    request.headers = options_.headers;
    request.headers.set("Accept", "application/json");
    request.headers.set("Accept-Encoding", "identity");
    if (!etag.empty()) request.headers.set("If-None-Match", etag);
    const Instant deadline = after(loop_.now(), options_.page_timeout);
    Result<wire::HttpResponse> answer =
        co_await net::fetch(http_, *page, std::move(request), deadline, listing.bytes_left());
    if (answer.ok() && answer.value().status == kNotModified && !etag.empty()) {
      unchanged = true;
      co_return Done{};
    }
    etag.clear();
    const Status taken = answer.ok() ? listing.take(answer.value()) : listing.lose(answer.error());
    if (!taken.ok()) co_return taken;
  }
  co_return Done{};
}

Task<Result<Discovered>> AgentDiscoveryService::discover_agents(wire::Url registry) {
  const bool again = registry_ == registry;
  Listing listing(registry, options_.allowed, options_.known, options_.bounds);
  bool unchanged = false;
  const std::string etag = again ? last_.etag : "";
  const Status read = co_await read_pages(listing, etag, unchanged);
  if (!read.ok()) co_return read.error();
  Discovered out;
  if (unchanged) {
    out.listed = last_;
    co_return out;
  }
  out.listed = listing.finish();
  if (again) {
    out.changes = changes_between(last_, out.listed);
    // What was not got to is not gone.
    if (!out.listed.cut.empty()) out.listed.agents.insert(last_.agents.begin(), last_.agents.end());
  } else {
    out.changes = changes_between(Listed(), out.listed);
  }
  registry_ = std::move(registry);
  last_ = out.listed;
  co_return out;
}

const Agent* AgentDiscoveryService::find(const std::string& id) const {
  const auto found = last_.agents.find(id);
  return found == last_.agents.end() ? nullptr : &found->second;
}

Task<connector::Discovery> AgentDiscoveryService::ask(std::string id, wire::Url address) {
  transport::HttpEndpoint endpoint;
  endpoint.url = std::move(address);
  endpoint.tls = options_.tls;
  std::map<std::string, transport::HttpEndpoint> servers;
  servers[id] = std::move(endpoint);
  transport::HttpConnector connector(loop_, network_, std::move(servers), random_);
  connector::HubOptions options;
  options.servers.push_back(id);
  options.connect_timeout = options_.agent_timeout;
  options.request_timeout = options_.agent_timeout;
  options.client.preferred = mcp::kLatest;
  connector::McpHub hub(loop_, connector, std::move(options), redactor_, nullptr);
  connector::Discovery found = co_await hub.discover();
  co_await hub.close();
  co_return found;
}

Task<Result<Validity>> AgentDiscoveryService::validate_agent(std::string id) {
  const Agent* const agent = find(id);
  if (agent == nullptr) co_return Error{ErrorCode::kInvalidInput, "no agent \"" + id + "\""};
  const std::vector<Capability> promised = agent->descriptor.capabilities;
  const std::string version = agent->descriptor.version;
  wire::Url address = agent->address;
  const connector::Discovery found = co_await ask(std::move(id), std::move(address));
  Validity out;
  for (const connector::DiscoveryProblem& one : found.problems) out.problems.push_back(told(one));
  if (found.manifest.servers.empty()) co_return out;
  const std::string& real = found.manifest.servers.front().version;
  if (!version.empty() && version != real) {
    out.problems.push_back("it is of version \"" + clipped(real, kAgentNameBytesMax) +
                           "\", the descriptor says \"" + version + '"');
  }
  std::vector<Capability> listed;
  for (const connector::Capability& one : found.manifest.servers.front().capabilities) {
    listed.push_back(capability_of(one));
  }
  for (std::string& line : disagreements(promised, listed)) out.problems.push_back(std::move(line));
  co_return out;
}

Task<Result<std::vector<Capability>>> AgentDiscoveryService::agent_capabilities(std::string id) {
  const Agent* const agent = find(id);
  if (agent == nullptr) co_return Error{ErrorCode::kInvalidInput, "no agent \"" + id + "\""};
  wire::Url address = agent->address;
  const connector::Discovery found = co_await ask(std::move(id), std::move(address));
  if (!found.problems.empty()) {
    co_return Error{ErrorCode::kDisconnected, told(found.problems.front())};
  }
  std::vector<Capability> listed;
  if (!found.manifest.servers.empty()) {
    for (const connector::Capability& one : found.manifest.servers.front().capabilities) {
      listed.push_back(capability_of(one));
    }
  }
  co_return listed;
}

}  // namespace plumbline::registry
