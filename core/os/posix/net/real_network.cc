#include "core/os/net/real_network.h"

#include <cerrno>
#include <chrono>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/errors/errors.h"
#include "core/base/wait.h"
#include "core/os/fd_watch.h"
#include "core/os/net/tls_context.h"
#include "core/os/posix/net/real_listener.h"
#include "core/os/posix/net/resolve.h"
#include "core/os/posix/net/socket.h"
#include "core/os/posix/net/socket_pipe.h"
#include "core/os/posix/net/tls_pipe.h"

namespace plumbline::os {

namespace {

// How long an address may stay silent while there is another one to try.
constexpr Duration kNextAddressAfter = std::chrono::seconds(3);

Error cannot_connect(const std::string& name, int error) {
  return the_error_as(ErrorCode::kDisconnected, "server.no-connection", name, reason_of(error));
}

}  // namespace

// Contexts are those of clients, each made once.
struct RealNetwork::Contexts {
  using Key = std::tuple<std::string, bool, std::vector<std::string>>;

  Result<const TlsContext*> client(const net::TlsClient& tls) {
    Key key(tls.ca_file, tls.verify, tls.alpn);
    const auto known = made.find(key);
    if (known != made.end()) return &known->second;
    Result<TlsContext> fresh = TlsContext::client(tls);
    if (!fresh.ok()) return std::move(fresh).error();
    return &made.emplace(std::move(key), std::move(fresh).value()).first->second;
  }

  std::map<Key, TlsContext> made;
};

RealNetwork::RealNetwork(RealLoop& loop) : loop_(loop), contexts_(std::make_unique<Contexts>()) {}
RealNetwork::~RealNetwork() = default;

Task<Result<std::unique_ptr<net::Pipe>>> RealNetwork::dial(net::Authority to,
                                                           std::optional<net::TlsClient> tls) {
  const TlsContext* context = nullptr;
  if (tls) {
    const Result<const TlsContext*> made = contexts_->client(*tls);
    if (!made.ok()) co_return made.error();
    context = made.value();
  }
  const std::string host = to.host;
  Result<Fd> socket = co_await connect(std::move(to));
  if (!socket.ok()) co_return std::move(socket).error();
  std::unique_ptr<net::Pipe> plain = std::make_unique<SocketPipe>(loop_, std::move(socket).value());
  if (context == nullptr) co_return std::move(plain);
  std::unique_ptr<TlsPipe> secure = TlsPipe::client(loop_, std::move(plain), *context, host);
  const Status shaken = co_await secure->handshake();
  if (!shaken.ok()) co_return shaken.error();
  co_return std::unique_ptr<net::Pipe>(std::move(secure));
}

Task<Result<Fd>> RealNetwork::connect(net::Authority to) {
  const std::string name = describe(to);
  Result<std::vector<SocketAddress>> addresses = co_await resolve(loop_, std::move(to));
  if (!addresses.ok()) co_return std::move(addresses).error();
  for (std::size_t i = 0;; ++i) {
    const bool last = i + 1 == addresses.value().size();
    Instant give_up = kNever;
    if (!last) give_up = loop_.now() + kNextAddressAfter;
    Result<Fd> socket = co_await connect_to(addresses.value()[i], name, give_up);
    if (socket.ok() || last) co_return std::move(socket);
  }
}

Task<Result<Fd>> RealNetwork::connect_to(SocketAddress address, std::string name, Instant give_up) {
  Result<Fd, int> begun = begin_connect(address);
  if (!begun.ok()) co_return cannot_connect(name, begun.error());
  Event writable;
  FdWatch watch(loop_, std::move(begun).value(), [&writable] { writable.set(); });
  watch.await_writable();
  const bool in_time = co_await writable.wait(loop_, give_up);
  if (!in_time) co_return cannot_connect(name, ETIMEDOUT);
  Fd socket = watch.release();
  const int error = connect_error(socket);
  if (error != 0) co_return cannot_connect(name, error);
  co_return std::move(socket);
}

Result<std::unique_ptr<net::Listener>> RealNetwork::listen(net::Authority at,
                                                           std::optional<net::TlsServer> tls,
                                                           OnAccept on_accept) {
  std::optional<TlsContext> context;
  if (tls) {
    Result<TlsContext> made = TlsContext::server(*tls);
    if (!made.ok()) return std::move(made).error();
    context = std::move(made).value();
  }
  const Result<SocketAddress> address = own_address(at);
  if (!address.ok()) return address.error();
  Result<Fd> listening = open_listening(address.value(), describe(at));
  if (!listening.ok()) return std::move(listening).error();
  return std::unique_ptr<net::Listener>(std::make_unique<RealListener>(
      loop_, std::move(listening).value(), std::move(context), std::move(on_accept)));
}

}  // namespace plumbline::os
