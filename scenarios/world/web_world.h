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
#include "fakes/world/sim_network.h"
#include "scenarios/auth/issuers.h"
#include "scenarios/auth/web_front.h"
#include "scenarios/crashes/operations.h"
#include "scenarios/format/scenario.h"
#include "scenarios/judge/credentials.h"
#include "scenarios/world/fault_plan.h"

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
           const Rng& rng, FaultPlan& plan, Operations& operations, Credentials& credentials);
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

  // What else reaches them, each by a network of its own: where, what looks random, over what, and
  // what a browser has.
  std::map<std::string, transport::HttpEndpoint> endpoints(
      const std::vector<ServerSpec>& servers) const;
  RandomBytes masks();
  net::Network& ours() { return ours_; }
  net::Network& whole() { return network_; }
  Issuers& issuers() { return issuers_; }
  EventSink& events() { return events_; }

  // heal has everybody do as they should from now on, and tells no more of what happens.
  void heal();

  // switch_off ends every host, as the end of its child process ends a server that has one.
  void switch_off();

  // exchanges returns how many requests of HTTP the proxy of a server met: "files GET" or "files
  // POST".
  std::int64_t exchanges(const std::string& label) const;

  // rules_used returns which rules of the proxy of a server were followed; none without a proxy.
  std::vector<bool> rules_used(const std::string& name) const;

 private:
  class Host;
  const WebFront* front_of(const std::string& name) const;

  // Told is where the world tells what happens, until it is healed.
  struct Told final : EventSink {
    explicit Told(EventSink& its_events) : events(its_events) {}
    void on_event(const TraceEvent& event) override {
      if (!quiet) events.on_event(event);
    }
    void be_quiet() { quiet = true; }

    EventSink& events;
    bool quiet = false;
  };

  Loop& loop_;
  Told events_;
  Transport transport_;
  FaultPlan& plan_;
  Rng ids_;
  Rng masks_;
  fakes::SimNetwork network_;
  FaultyNetwork faulty_;
  Issuers issuers_;
  FailingNetwork failing_;
  net::Network& ours_;  // Of the orchestrator.
  std::vector<std::unique_ptr<Host>> hosts_;
  std::vector<std::unique_ptr<WebFront>> fronts_;
  std::unique_ptr<transport::HttpConnector> connector_;
};

// web_endpoint returns how a client reaches `server` at `at`, in a world of `transport`.
transport::HttpEndpoint web_endpoint(const ServerSpec& server, Transport transport,
                                     net::Authority at);

}  // namespace plumbline::scenarios
