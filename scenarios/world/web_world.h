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
  // All references must outlive the world. `rng` is forked for streams, ids and masks.
  WebWorld(Loop& loop, EventSink& events, mcp::Transport transport, const fakes::PipeOptions& pipes,
           const Rng& rng, FaultPlan& plan, Operations& operations);
  WebWorld(const WebWorld&) = delete;
  WebWorld& operator=(const WebWorld&) = delete;
  ~WebWorld();

  // add makes `script` what answers at the host that has the name of `world.memory`. A script that
  // crashes ends its sessions and breaks its streams; its host takes new ones at once. With a
  // `front`, a proxy has the name, and its replicas run the script. All must outlive the world.
  void add(const fakes::ServerScript& script, const fakes::ServerWorld& world,
           const std::optional<fakes::HttpFront>& front);

  // connector connects to the servers of `names`; one that was not added refuses. Once, after the
  // last add().
  transport::Connector& connector(const std::vector<std::string>& names);

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
    wire::HttpHeaders client_headers;
    std::unique_ptr<fakes::HttpProxy> proxy;        // Null once switched off.
    std::map<std::string, std::int64_t> exchanges;  // As they were then.
    std::vector<bool> rules_used;                   // By the index of HttpFront::rules.
  };

  void add_front(const fakes::ServerScript& script, const fakes::ServerWorld& world,
                 const fakes::HttpFront& spec);
  const Front* front_of(const std::string& name) const;

  Loop& loop_;
  EventSink& events_;
  mcp::Transport transport_;
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

}  // namespace plumbline::scenarios
