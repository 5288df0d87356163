#include "core/os/posix/net/real_listener.h"

#include <cerrno>
#include <chrono>
#include <string>
#include <utility>

#include "core/base/limits.h"
#include "core/base/wait.h"
#include "core/os/posix/net/socket.h"
#include "core/os/posix/net/socket_pipe.h"

namespace plumbline::os {

namespace {

// How many streams are taken before others have their turn.
constexpr int kAcceptsInARowMax = 64;
// How long a listener waits for descriptors to become free.
constexpr Duration kPause = std::chrono::milliseconds(50);

bool out_of_descriptors(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

}  // namespace

RealListener::RealListener(RealLoop& loop, Fd listening, std::optional<TlsContext> tls,
                           net::Network::OnAccept on_accept)
    : loop_(loop),
      port_(port_of(listening)),
      tls_(std::move(tls)),
      on_accept_(std::move(on_accept)),
      pause_([this] { listening_.await_readable(); }),
      ready_turn_([this] { hand_over_ready(); }),
      listening_(loop, std::move(listening), [this] { accept_some(); }) {
  listening_.await_readable();
}

void RealListener::accept_some() {
  for (int i = 0; i < kAcceptsInARowMax; ++i) {
    Result<Fd, int> socket = accept_one(listening_.fd());
    if (!socket.ok()) {
      if (socket.error() == EAGAIN || socket.error() == EWOULDBLOCK) break;
      if (out_of_descriptors(socket.error())) return loop_.arm(pause_, loop_.now() + kPause);
      continue;  // That stream was gone before it was taken.
    }
    auto pipe = std::make_unique<SocketPipe>(loop_, std::move(socket).value());
    if (!tls_) {
      hand_over(std::move(pipe));
    } else if (handshakes_.running() < limits::kHandshakesPendingMax) {
      handshakes_.spawn(shake_hands(TlsPipe::server(loop_, std::move(pipe), *tls_)));
    }
  }
  listening_.await_readable();
}

Task<void> RealListener::shake_hands(std::unique_ptr<TlsPipe> pipe) {
  std::unique_ptr<TlsPipe> shaken = std::move(pipe);  // Gone when this is done, not later.
  Task<Status> shaking = shaken->handshake();
  const Instant deadline = loop_.now() + limits::kConnectTimeout;
  const Result<Status> done =
      co_await with_deadline(loop_, deadline, "a handshake of TLS", std::move(shaking));
  if (done.ok() && done.value().ok()) hand_over(std::move(shaken));
}

// hand_over gives `pipe` away in a turn of its own: whoever takes it may destroy this listener, and
// with it the handshakes.
void RealListener::hand_over(std::unique_ptr<net::Pipe> pipe) {
  ready_.push_back(std::move(pipe));
  if (!ready_turn_.armed()) loop_.arm(ready_turn_, loop_.now());
}

void RealListener::hand_over_ready() {
  std::vector<std::unique_ptr<net::Pipe>> ready = std::exchange(ready_, {});
  const Lifeline::Guard guard(lifeline_);
  for (std::unique_ptr<net::Pipe>& pipe : ready) {
    on_accept_(std::move(pipe));
    if (!guard.alive()) return;
  }
}

}  // namespace plumbline::os
