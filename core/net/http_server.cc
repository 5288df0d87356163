#include "core/net/http_server.h"

#include <algorithm>
#include <utility>

#include "core/wire/caller.h"

namespace plumbline::net {

HttpServer::HttpServer(Loop& loop, HttpHandler& handler, HttpAccess access,
                       HttpServerOptions options)
    : loop_(loop),
      handler_(handler),
      access_(std::move(access)),
      options_(std::move(options)),
      guests_(options_.all, options_.each),
      turns_(loop) {}

HttpServer::~HttpServer() = default;

void HttpServer::accept(std::unique_ptr<Pipe> pipe) {
  HttpServerConnection::Caller caller;
  caller.address = pipe->peer_address();
  const bool proxy = std::ranges::find(options_.proxies, caller.address) != options_.proxies.end();
  caller.share = proxy ? guests_.trusted() : guests_.of(wire::guest_of("", caller.address));
  std::optional<Held> connection = caller.share.take(Resource::kConnections);
  if (!connection) return;
  caller.connection = *std::move(connection);
  HttpServerConnection::Owner& owner = *this;
  connections_.push_back(std::make_unique<HttpServerConnection>(
      loop_, owner, std::move(pipe), std::move(caller), connections_.size()));
  connections_.back()->start();
}

void HttpServer::drain() {
  draining_ = true;
  for (const auto& connection : connections_) connection->drain();
}

bool HttpServer::make_room(const HttpServerConnection& asking) {
  const auto largest = std::ranges::max_element(
      connections_, {}, [](const auto& connection) { return connection->reading_bytes(); });
  if (largest == connections_.end() || largest->get() == &asking) return false;
  if ((*largest)->reading_bytes() <= asking.reading_bytes()) return false;
  (*largest)->refuse({503, "the server holds too many bytes of requests"});
  return true;
}

void HttpServer::forget(HttpServerConnection& connection) {
  const std::size_t slot = connection.slot();
  const std::unique_ptr<HttpServerConnection> gone = std::move(connections_[slot]);
  if (slot + 1 != connections_.size()) {
    connections_[slot] = std::move(connections_.back());
    connections_[slot]->set_slot(slot);
  }
  connections_.pop_back();
}

}  // namespace plumbline::net
