#include "core/os/net/real_network.h"

#include <cstdlib>
#include <utility>

#include "core/os/node/host_pipe.h"

namespace plumbline::os {

namespace {

constexpr std::size_t kNumberBytes = 4;

Json order_for(std::string_view op, std::uint32_t number, const net::Authority& place) {
  Json what = host::request(op);
  what["id"] = number;
  what["host"] = place.host;
  what["port"] = place.port;
  what["name"] = describe(place);
  return what;
}

// HostListener takes the streams that the host has accepted.
class HostListener final : public net::Listener, private host::Hearer {
 public:
  HostListener(RealLoop& loop, std::uint32_t number, std::uint16_t port,
               net::Network::OnAccept on_accept)
      : loop_(loop), number_(number), port_(port), on_accept_(std::move(on_accept)) {
    host::listen(number, this);
  }
  ~HostListener() override {
    host::listen(number_, nullptr);
    host::say_about("close", number_);
  }

  std::uint16_t port() const override { return port_; }

 private:
  void hear(host::Event event, std::string_view payload) override {
    if (event != host::Event::kAccepted) return;
    const std::uint32_t number = host::number_at(payload, 0);
    std::string peer(payload.substr(kNumberBytes));
    const net::Network::OnAccept take = on_accept_;  // It may destroy us.
    take(std::make_unique<HostPipe>(loop_, number, std::move(peer)));
  }

  RealLoop& loop_;
  std::uint32_t number_;
  std::uint16_t port_;
  net::Network::OnAccept on_accept_;
};

}  // namespace

// What a network of this half has is the host's.
struct RealNetwork::Contexts {};

RealNetwork::RealNetwork(RealLoop& loop) : loop_(loop) {}
RealNetwork::~RealNetwork() = default;

Task<Result<std::unique_ptr<net::Pipe>>> RealNetwork::dial(net::Authority to,
                                                           std::optional<net::TlsClient> tls) {
  const std::uint32_t number = host::new_number();
  Json what = order_for("dial", number, to);
  if (tls) {
    what["tls"]["alpn"] = tls->alpn;
    what["tls"]["authorities"] = tls->ca_file;
    what["tls"]["verify"] = tls->verify;
  }
  auto pipe = std::make_unique<HostPipe>(loop_, number);
  host::tell(what);
  const Status opened = co_await pipe->opened();
  if (!opened.ok()) co_return opened.error();
  co_return std::unique_ptr<net::Pipe>(std::move(pipe));
}

Result<std::unique_ptr<net::Listener>> RealNetwork::listen(net::Authority at,
                                                           std::optional<net::TlsServer> tls,
                                                           OnAccept on_accept) {
  const std::uint32_t number = host::new_number();
  Json what = order_for("listen", number, at);
  if (tls) {
    what["tls"]["certificate"] = tls->certificate_file;
    what["tls"]["key"] = tls->key_file;
  }
  const host::Answer port = host::order(what);
  if (!port.ok()) return Error{ErrorCode::kInvalidInput, port.error().text, "network.taken"};
  return std::unique_ptr<net::Listener>(std::make_unique<HostListener>(
      loop_, number, static_cast<std::uint16_t>(std::atoi(port.value().c_str())),
      std::move(on_accept)));
}

}  // namespace plumbline::os
