// ServedWorld is a server of ours in a simulated world: the reference server, over whatever the
// scenario says, for scripted clients.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/rng.h"
#include "core/mcp/transport/http_connector.h"
#include "core/mcp/transport/server/web_server.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"
#include "fakes/world/sim_spawner.h"
#include "reference/reference_server.h"
#include "scenarios/clients/scripted_client.h"
#include "scenarios/format/scenario.h"

namespace plumbline::scenarios {

// kServed is what events call the server.
inline constexpr std::string_view kServed = "ours";

class ServedWorld final : public ClientPlace {
 public:
  // `transport` is one that a server of ours has: kBytes or one with a network. All must outlive
  // the world.
  ServedWorld(fakes::SimLoop& loop, const WorldSpec& world, Transport transport, const Rng& rng,
              EventSink& events);
  ServedWorld(const ServedWorld&) = delete;
  ServedWorld& operator=(const ServedWorld&) = delete;

  // implements ClientPlace ---
  Task<Result<ClientLine>> connect() override;
  net::HttpClient& http() override { return *http_; }
  const wire::Url* url() const override { return url_ ? &*url_ : nullptr; }

  // kept returns what the server keeps for its clients: {"sessions", "calls", "subscriptions",
  // "tasks"}. A child process that runs is a session.
  Json kept();

  // close drops what clients have outside of their connections.
  void close() { http_.reset(); }

 private:
  class Program;

  void spawn_on_demand(const WorldSpec& world, const Rng& rng);
  void listen(const WorldSpec& world, Transport transport, const Rng& rng);
  std::string digits(std::size_t count);

  fakes::SimLoop& loop_;
  EventSink& events_;
  Rng ids_;
  // Over bytes: a server for each child.
  std::optional<fakes::SimSpawner> spawner_;
  std::vector<Program*> programs_;  // Those that run.
  // Over a network.
  std::optional<fakes::SimNetwork> network_;
  std::optional<reference::ReferenceServer> server_;
  std::unique_ptr<transport::WebServer> web_;
  std::optional<wire::Url> url_;
  std::unique_ptr<transport::HttpConnector> connector_;
  std::unique_ptr<net::HttpClient> http_;
};

}  // namespace plumbline::scenarios
