// RealNetwork is the Network of the real world: TCP over IPv4 and IPv6, and TLS by OpenSSL.

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/net/network.h"
#include "core/os/fd.h"
#include "core/os/net/tls_context.h"
#include "core/os/real_loop.h"

namespace plumbline::os {

struct SocketAddress;

class RealNetwork final : public net::Network {
 public:
  // `loop` must outlive the network, its listeners and its streams; the network outlives its dials.
  explicit RealNetwork(RealLoop& loop) : loop_(loop) {}
  RealNetwork(const RealNetwork&) = delete;
  RealNetwork& operator=(const RealNetwork&) = delete;

  // implements Network ---
  //
  // dial tries every address of the name, one after the other. The system's authorities and each
  // ca_file are read once.
  //
  // A listener survives that the process or the system runs out of descriptors: it pauses and goes
  // on. A handshake of TLS has limits::kConnectTimeout; those that fail are dropped unheard.
  Task<Result<std::unique_ptr<net::Pipe>>> dial(net::Authority to,
                                                std::optional<net::TlsClient> tls) override;
  Result<std::unique_ptr<net::Listener>> listen(net::Authority at,
                                                std::optional<net::TlsServer> tls,
                                                OnAccept on_accept) override;

 private:
  using ContextKey = std::tuple<std::string, bool, std::vector<std::string>>;

  Result<const TlsContext*> context_for(const net::TlsClient& tls);
  Task<Result<Fd>> connect(net::Authority to);
  Task<Result<Fd>> connect_to(SocketAddress address, std::string name, Instant give_up);

  RealLoop& loop_;
  std::map<ContextKey, TlsContext> contexts_;
};

}  // namespace plumbline::os
