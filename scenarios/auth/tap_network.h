// TapNetwork is the Network of one agent: it tells what is sent over it.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/net/network.h"
#include "core/wire/http.h"

namespace plumbline::scenarios {

class TapNetwork final : public net::Network {
 public:
  // OnDial is told before each dial, OnRequest each whole request of HTTP that is written; of a
  // stream that is upgraded, none after that.
  using OnDial = std::function<void(const net::Authority& to)>;
  using OnRequest = std::function<void(const net::Authority& to, const wire::HttpRequest& request)>;

  // `network` must outlive the tap, and that its streams.
  TapNetwork(net::Network& network, OnDial on_dial, OnRequest on_request)
      : network_(network), on_dial_(std::move(on_dial)), on_request_(std::move(on_request)) {}

  // implements Network ---
  Task<Result<std::unique_ptr<net::Pipe>>> dial(net::Authority to,
                                                std::optional<net::TlsClient> tls) override;
  Result<std::unique_ptr<net::Listener>> listen(net::Authority at,
                                                std::optional<net::TlsServer> tls,
                                                OnAccept on_accept) override {
    return network_.listen(std::move(at), std::move(tls), std::move(on_accept));
  }

 private:
  class TappedPipe;

  net::Network& network_;
  OnDial on_dial_;
  OnRequest on_request_;
};

}  // namespace plumbline::scenarios
