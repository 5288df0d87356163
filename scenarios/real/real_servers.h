// RealServers is the servers of a scenario as child processes, `plumbline serve`, and what connects
// to them: over their pipes, or over sockets on loopback.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/events/trace_event.h"
#include "core/mcp/transport/http_connector.h"
#include "core/mcp/transport/stdio_connector.h"
#include "fakes/world/effect_ledger.h"
#include "scenarios/auth/web_front.h"
#include "scenarios/format/scenario.h"
#include "scenarios/real/real_doors.h"
#include "scenarios/real/served_hosts.h"
#include "scenarios/real/watched_spawner.h"
#include "scenarios/world/run_world.h"

namespace plumbline::scenarios {

class RealServers final : public RunWorld {
 public:
  // `over` is what carries the messages. What takes effect is told to `events` once its process has
  // ended. All that is borrowed must outlive the servers.
  RealServers(const Scenario& scenario, mcp::Transport over, const RealDoors& doors,
              EventSink& events);
  RealServers(const RealServers&) = delete;
  RealServers& operator=(const RealServers&) = delete;

  transport::Connector& connector() {
    if (sockets_) return *sockets_;
    return *pipes_;
  }

  // processes returns how many processes of `server` were started.
  std::int64_t processes(const std::string& server) const { return watched_.started(server); }

  // implements RunWorld --- A start over sockets is a session: a process serves all of them.
  const fakes::EffectLedger& ledger() const override { return ledger_; }
  std::int64_t starts(std::string_view server) const override;
  std::int64_t exchanges(const std::string& label) const override;
  std::vector<const RuleSite*> traps() const override;

  // close ends in order, in bounded time, what outlives its connections.
  Task<void> close();

  // end ends what is left, at once. Whoever was connected must be gone.
  void end();

 private:
  void connect_pipes(const Scenario& scenario);
  void connect_sockets(const Scenario& scenario, mcp::Transport over);
  net::Authority serve(const Scenario& scenario, const ServerSpec& server, mcp::Transport over);

  void take_told(std::string_view text);

  const Scenario& scenario_;
  const RealDoors& doors_;
  EventSink& events_;
  const mcp::Transport over_;
  fakes::EffectLedger ledger_;
  std::vector<const RuleSite*> traps_;                         // Of servers, that were followed.
  std::map<std::string, std::int64_t, std::less<>> sessions_;  // Over sockets, by server.
  WatchedSpawner watched_;
  std::optional<ServedHosts> hosts_;
  std::vector<std::unique_ptr<WebFront>> fronts_;
  std::optional<transport::HttpConnector> sockets_;
  std::optional<transport::StdioConnector> pipes_;  // In place of sockets.
};

// The command of a server that is not there.
inline constexpr const char* kServerNotThere = "plumbline-server-that-is-not-there";

// serve_words returns the command that is `server` of the scenario in `file`, with `more` options,
// where `program` is ours. Its name stands last: WatchedSpawner goes by it.
std::vector<std::string> serve_words(const std::string& program, const std::string& file,
                                     mcp::Transport over, const std::vector<std::string>& more,
                                     const std::string& server);

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
