// RealNetwork is the Network of the real world: TCP over IPv4 and IPv6, and TLS by OpenSSL.

#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/net/network.h"
#include "core/os/fd.h"
#include "core/os/real_loop.h"

namespace plumbline::os {

struct SocketAddress;

class RealNetwork final : public net::Network {
 public:
  // `loop` must outlive the network, its listeners and its streams; the network outlives its dials.
  explicit RealNetwork(RealLoop& loop);
  ~RealNetwork();
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
  struct Contexts;

  Task<Result<Fd>> connect(net::Authority to);
  Task<Result<Fd>> connect_to(SocketAddress address, std::string name, Instant give_up);

  RealLoop& loop_;
  std::unique_ptr<Contexts> contexts_;
};

}  // namespace plumbline::os
