#include "fakes/proxy/http_proxy_desk.h"

#include <utility>

#include "core/base/check.h"

namespace plumbline::fakes {

HttpProxyDesk::HttpProxyDesk(Loop& loop, net::Network& network, net::HttpAccess access,
                             const HttpFront& front, std::vector<net::Authority> replicas,
                             HttpProxyHooks hooks)
    : loop_(loop),
      access_(std::move(access)),
      replicas_(std::move(replicas)),
      hooks_(std::move(hooks)),
      book_(front.rules),
      client_(loop, network) {
  check(!replicas_.empty(), "a proxy without a server");
}

HttpAction HttpProxyDesk::decide(const wire::HttpRequest& request, Duration idle, Json& id,
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

std::unique_ptr<net::HttpExchange> HttpProxyDesk::pass_on(wire::HttpRequest request,
                                                          net::HttpExchangeReader& reader) {
  const net::Authority& replica = replicas_[turn_++ % replicas_.size()];
  const wire::Url to{"http", replica.host, replica.port, request.target};
  return client_.start(to, std::move(request), reader, kNever);
}

}  // namespace plumbline::fakes
