// RealServers is the servers of a scenario as child processes, `plumbline serve`, and what connects
// to them: over their pipes, or over sockets on loopback.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/events/trace_event.h"
#include "core/mcp/transport/http_connector.h"
#include "core/mcp/transport/stdio_connector.h"
#include "fakes/proxy/http_proxy.h"
#include "scenarios/format/scenario.h"
#include "scenarios/real/real_doors.h"
#include "scenarios/real/served_hosts.h"
#include "scenarios/real/watched_spawner.h"

namespace plumbline::scenarios {

class RealServers {
 public:
  // `over` is what carries the messages. `on_stderr` gets what each process has written, once it
  // has ended. All that is borrowed must outlive the servers.
  RealServers(const Scenario& scenario, mcp::Transport over, const RealDoors& doors,
              EventSink& events, WatchedSpawner::OnStderr on_stderr);
  RealServers(const RealServers&) = delete;
  RealServers& operator=(const RealServers&) = delete;

  transport::Connector& connector() {
    if (sockets_) return *sockets_;
    return *pipes_;
  }

  // started returns how many processes of `server` were started.
  std::int64_t started(const std::string& server) const { return watched_.started(server); }

  // exchanges returns how many requests of HTTP came to the proxy of a server: "files GET".
  std::int64_t exchanges(std::string_view label) const;

  // traps returns the rules of HTTP that did something and are marked with "never".
  std::vector<const RuleSite*> traps() const;

  // close ends in order, in bounded time, what outlives its connections.
  Task<void> close();

  // end ends what is left, at once. Whoever was connected must be gone.
  void end();

 private:
  struct Front {
    std::string name;
    fakes::HttpFront rules;  // Borrowed by the proxy.
    std::vector<bool> rules_used;
    std::unique_ptr<fakes::HttpProxy> proxy;        // Null once ended.
    std::map<std::string, std::int64_t> exchanges;  // As they were then.
  };

  void connect_pipes(const Scenario& scenario);
  void connect_sockets(const Scenario& scenario, mcp::Transport over);
  net::Authority serve(const Scenario& scenario, const ServerSpec& server, mcp::Transport over);

  const Scenario& scenario_;
  const RealDoors& doors_;
  EventSink& events_;
  WatchedSpawner watched_;
  std::optional<ServedHosts> hosts_;
  std::vector<std::unique_ptr<Front>> fronts_;
  std::optional<transport::HttpConnector> sockets_;
  std::optional<transport::StdioConnector> pipes_;  // In place of sockets.
};

// needs_simulation returns why no real process can show what `scenario` is about, whatever carries
// its messages; empty when one can.
std::string needs_simulation(const Scenario& scenario);

// cannot_carry returns why the servers of `scenario` cannot be met over `over` for real, empty when
// they can.
std::string cannot_carry(const Scenario& scenario, mcp::Transport over);

// why_unseen returns why `property` may be broken where no event of real processes breaks it;
// empty: it holds.
std::string why_unseen(const Property& property);

}  // namespace plumbline::scenarios
