#include "fakes/peers/http_proxy.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "fakes/peers/http_proxy_connection.h"

namespace plumbline::fakes {

HttpProxy::HttpProxy(Loop& loop, transport::Network& network, transport::Authority at,
                     const HttpFront& front, std::vector<transport::Authority> replicas,
                     HttpProxyHooks hooks)
    : loop_(loop),
      network_(network),
      at_(std::move(at)),
      replicas_(std::move(replicas)),
      hooks_(std::move(hooks)),
      book_(front.rules),
      client_(loop, network),
      sweep_([this] { sweep(); }),
      up_([this] { listen(); }) {
  check(!replicas_.empty(), "a proxy without a server");
  listen();
}

HttpProxy::~HttpProxy() = default;

void HttpProxy::listen() {
  Result<std::unique_ptr<transport::Listener>> listening =
      network_.listen(at_, std::nullopt, [this](std::unique_ptr<transport::Pipe> pipe) {
        connections_.push_back(std::make_unique<HttpProxyConnection>(*this, std::move(pipe)));
        connections_.back()->start();
      });
  check(listening.ok(), "two hosts of one name");
  listener_ = std::move(listening).value();
}

HttpAction HttpProxy::decide(const wire::HttpRequest& request, Duration idle, Json& id,
                             std::vector<std::size_t>& meant) {
  ++exchanges_[request.method];
  if (hooks_.on_request) hooks_.on_request(request);
  HttpFacts facts = facts_of(request, sessions_);
  facts.idle = idle;
  facts.now = loop_.now().time_since_epoch();
  HttpAction action = book_.apply(facts, meant);
  id = std::move(facts.id);
  return action;
}

void HttpProxy::go_down(Duration span) {
  listener_.reset();
  for (const auto& connection : connections_) connection->reset();
  hooks_.forget_sessions();
  loop_.arm(up_, after(loop_.now(), span));
}

void HttpProxy::sweep() {
  std::erase_if(connections_, [](const auto& connection) { return connection->gone(); });
}

wire::Url HttpProxy::next_replica(const std::string& target) {
  const transport::Authority& to = replicas_[turn_++ % replicas_.size()];
  return wire::Url{"http", to.host, to.port, target};
}

}  // namespace plumbline::fakes
