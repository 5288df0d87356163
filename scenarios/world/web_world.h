// WebWorld is the servers of a scenario behind a simulated network: each has its name for a host,
// and speaks Streamable HTTP, HTTP+SSE or WebSocket with whoever connects.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/events/trace_event.h"
#include "core/mcp/transport/http_connector.h"
#include "core/mcp/transport/server/web_server.h"
#include "fakes/peers/scripted_sessions.h"
#include "fakes/proxy/http_proxy.h"
#include "fakes/world/sim_network.h"
#include "scenarios/format/scenario.h"
#include "scenarios/world/fault_plan.h"
#include "scenarios/world/operations.h"

namespace plumbline::scenarios {

// FaultyNetwork is a SimNetwork whose streams a plan can break, under the host that was dialled.
class FaultyNetwork final : public net::Network {
 public:
  // All must outlive the network and its streams.
  FaultyNetwork(Loop& loop, fakes::SimNetwork& network, FaultPlan& plan)
      : loop_(loop), network_(network), plan_(plan) {}

  // implements transport::Network ---
  //
  // A dial to a server that is cut off hangs until that is over.
  Task<Result<std::unique_ptr<net::Pipe>>> dial(net::Authority to,
                                                std::optional<net::TlsClient> tls) override;
  Result<std::unique_ptr<net::Listener>> listen(net::Authority at,
                                                std::optional<net::TlsServer> tls,
                                                OnAccept on_accept) override;

 private:
  Loop& loop_;
  fakes::SimNetwork& network_;
  FaultPlan& plan_;
};

class WebWorld {
 public:
  // All references must outlive the world. `transport` is one of those that have a network. `rng`
  // is forked for streams, ids and masks.
  WebWorld(Loop& loop, EventSink& events, Transport transport, const fakes::PipeOptions& pipes,
           const Rng& rng, FaultPlan& plan, Operations& operations);
  WebWorld(const WebWorld&) = delete;
  WebWorld& operator=(const WebWorld&) = delete;
  ~WebWorld();

  // add makes the script of `server` what answers at the host that has its name. A script that
  // crashes ends its sessions and breaks its streams; its host takes new ones at once. With
  // something before it, a proxy has the name, and its replicas run the script. All must outlive
  // the world.
  void add(const ServerSpec& server, const fakes::ServerWorld& world);

  // connector connects to `servers`; one that was not added refuses. Once, after the last add().
  transport::Connector& connector(const std::vector<ServerSpec>& servers);

  // switch_off ends every host, as the end of its child process ends a server that has one.
  void switch_off();

  // exchanges returns how many requests of HTTP the proxy of a server met: "files GET" or "files
  // POST".
  std::int64_t exchanges(const std::string& label) const;

  // rules_used returns which rules of the proxy of a server were followed; none without a proxy.
  std::vector<bool> rules_used(const std::string& name) const;

 private:
  class Host;
  // Front is the proxy before a server.
  struct Front {
    std::string name;
    std::vector<Host*> replicas;
    std::unique_ptr<fakes::HttpProxy> proxy;        // Null once switched off.
    std::map<std::string, std::int64_t> exchanges;  // As they were then.
    std::vector<bool> rules_used;                   // By the index of HttpFront::rules.
  };

  void add_front(const ServerSpec& server, const fakes::ServerWorld& world);
  const Front* front_of(const std::string& name) const;

  Loop& loop_;
  EventSink& events_;
  Transport transport_;
  FaultPlan& plan_;
  Rng ids_;
  Rng masks_;
  fakes::SimNetwork network_;
  FaultyNetwork faulty_;
  FailingNetwork failing_;
  net::Network& ours_;  // Of the orchestrator.
  std::vector<std::unique_ptr<Host>> hosts_;
  std::vector<std::unique_ptr<Front>> fronts_;
  std::unique_ptr<transport::HttpConnector> connector_;
};

// telling_hooks returns what tells `events` of each exchange of the proxy before the server `name`,
// and of each rule that changes one, which it also notes in `rules_used`. All must outlive the
// proxy.
fakes::HttpProxyHooks telling_hooks(const Loop& loop, EventSink& events, const std::string& name,
                                    std::vector<bool>& rules_used);

// web_endpoint returns how a client reaches `server` at `at`, in a world of `transport`.
transport::HttpEndpoint web_endpoint(const ServerSpec& server, Transport transport,
                                     net::Authority at);

}  // namespace plumbline::scenarios
