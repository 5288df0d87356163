// RealListener takes the streams that come in on one listening socket.

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/base/lifeline.h"
#include "core/base/task_group.h"
#include "core/net/network.h"
#include "core/os/fd_watch.h"
#include "core/os/net/tls_context.h"
#include "core/os/posix/net/tls_pipe.h"
#include "core/os/real_loop.h"

namespace plumbline::os {

class RealListener final : public net::Listener {
 public:
  // `listening` listens. With `tls`, a stream is handed over after its handshake.
  RealListener(RealLoop& loop, Fd listening, std::optional<TlsContext> tls,
               net::Network::OnAccept on_accept);

  // implements Listener ---
  std::uint16_t port() const override { return port_; }

 private:
  void accept_some();
  void hand_over(std::unique_ptr<net::Pipe> pipe);
  void hand_over_ready();
  Task<void> shake_hands(std::unique_ptr<TlsPipe> pipe);

  RealLoop& loop_;
  std::uint16_t port_;
  std::optional<TlsContext> tls_;
  net::Network::OnAccept on_accept_;
  std::vector<std::unique_ptr<net::Pipe>> ready_;  // To be handed over.
  Lifeline lifeline_;
  Alarm pause_;
  Alarm ready_turn_;
  FdWatch listening_;
  TaskGroup handshakes_;  // Last: they use the rest.
};

}  // namespace plumbline::os
