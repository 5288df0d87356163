// FleetRegistry is the registry of a fleet: it lists the agents over HTTP, and can hang, lie and
// shrink. Beside it, the one who asks it in intervals and keeps the connector to what it says.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/connector/agent_connector.h"
#include "core/connector/registry/discovery.h"
#include "core/net/http_server.h"
#include "fakes/world/sim_network.h"

namespace plumbline::scenarios {

class FleetRegistry final : public net::HttpHandler {
 public:
  // Lists the agents called name_of(0) to name_of(agents - 1). `loop` and `redactor` must outlive
  // it.
  FleetRegistry(Loop& loop, const Rng& rng, const Redactor& redactor, std::size_t agents);
  ~FleetRegistry();

  static std::string name_of(std::size_t agent) { return "agent-" + std::to_string(agent); }

  // What is wrong with it at present. It lies of agents that are nowhere, at private addresses, at
  // places that are no addresses, and of two under one name; it shrinks to every other agent.
  int hangs = 0;
  int lies = 0;
  int shrinks = 0;

  // refresh asks it once, and adds to and removes from `connector`, which must outlive the Task.
  Task<void> refresh(connector::AgentConnector& connector);

  std::int64_t refused() const { return refused_; }  // Entries, in all looks.
  std::int64_t looks() const { return looks_; }
  std::int64_t failed() const { return failed_; }  // Looks that brought no list.

  // implements HttpHandler ---
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;

 private:
  Json list() const;

  std::size_t agents_;
  std::int64_t refused_ = 0;
  std::int64_t looks_ = 0;
  std::int64_t failed_ = 0;
  std::vector<net::HttpReply> held_;  // Of those that it let hang.
  fakes::SimNetwork network_;
  net::HttpServer server_;
  std::unique_ptr<net::Listener> listener_;
  registry::AgentDiscoveryService service_;
};

}  // namespace plumbline::scenarios
