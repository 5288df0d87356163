#include "fakes/proxy/http_proxy.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace plumbline::fakes {

HttpProxy::HttpProxy(Loop& loop, net::Network& network, net::Authority at, const HttpFront& front,
                     std::vector<net::Authority> replicas, HttpProxyHooks hooks)
    : network_(network),
      at_(std::move(at)),
      desk_(loop, network, net::HttpAccess::at(at_.host), front, std::move(replicas),
            std::move(hooks)),
      sweep_([this] { sweep(); }),
      up_([this] { listen(); }) {
  listen();
}

HttpProxy::~HttpProxy() = default;

void HttpProxy::listen() {
  Result<std::unique_ptr<net::Listener>> listening =
      network_.listen(at_, std::nullopt, [this](std::unique_ptr<net::Pipe> pipe) {
        HttpProxyConnection::Owner& owner = *this;
        connections_.push_back(
            std::make_unique<HttpProxyConnection>(desk_, owner, std::move(pipe)));
        connections_.back()->start();
      });
  check(listening.ok(), "two hosts of one name");
  listener_ = std::move(listening).value();
}

void HttpProxy::go_down(Duration span) {
  listener_.reset();
  for (const auto& connection : connections_) connection->reset();
  desk_.hooks().forget_sessions();
  desk_.loop().arm(up_, after(desk_.loop().now(), span));
}

void HttpProxy::sweep_soon() { desk_.loop().arm(sweep_, desk_.loop().now()); }

void HttpProxy::sweep() {
  std::erase_if(connections_, [](const auto& connection) { return connection->gone(); });
}

}  // namespace plumbline::fakes
