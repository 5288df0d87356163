// ServedHosts is the servers of a scenario as processes on loopback, each behind a place that only
// this network knows: `plumbline serve`, started when somebody first dials it, and again when
// somebody dials it after its end.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/loop.h"
#include "core/net/network.h"
#include "core/net/spawner.h"

namespace plumbline::scenarios {

class ServedHosts final : public net::Network {
 public:
  // All must outlive the hosts and their streams.
  ServedHosts(Loop& loop, net::Network& network, net::Spawner& spawner);
  ServedHosts(const ServedHosts&) = delete;
  ServedHosts& operator=(const ServedHosts&) = delete;
  ~ServedHosts();

  // add returns the place of what `command` starts: a server that prints its URL as its first line.
  // An empty command is a server that is not there. It is no place of the machine: its port counts
  // from 1.
  net::Authority add(net::Command command);

  // add_listener returns a place for whoever will listen() there.
  net::Authority add_listener() { return add({}); }

  // listening_port returns the port of the machine where somebody of ours listens for `place`.
  std::uint16_t listening_port(const net::Authority& place);

  // implements Network ---
  //
  // A dial waits until the server listens, at most limits::kConnectTimeout.
  Task<Result<std::unique_ptr<net::Pipe>>> dial(net::Authority to,
                                                std::optional<net::TlsClient> tls) override;
  Result<std::unique_ptr<net::Listener>> listen(net::Authority at,
                                                std::optional<net::TlsServer> tls,
                                                OnAccept on_accept) override;

  // close ends every process in order, in bounded time.
  Task<void> close();

 private:
  class Host;

  Host& host_at(const net::Authority& place);

  Loop& loop_;
  net::Network& network_;
  net::Spawner& spawner_;
  std::vector<std::unique_ptr<Host>> hosts_;
};

}  // namespace plumbline::scenarios
