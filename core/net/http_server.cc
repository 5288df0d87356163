#include "core/net/http_server.h"

#include <algorithm>
#include <utility>

namespace plumbline::net {

HttpServer::HttpServer(Loop& loop, HttpHandler& handler, HttpAccess access,
                       HttpServerOptions options)
    : loop_(loop), handler_(handler), access_(std::move(access)), options_(std::move(options)) {}

HttpServer::~HttpServer() = default;

void HttpServer::accept(std::unique_ptr<Pipe> pipe) {
  if (connections_.size() >= options_.connections_max) return;
  HttpServerConnection::Owner& owner = *this;
  connections_.push_back(
      std::make_unique<HttpServerConnection>(loop_, owner, std::move(pipe), connections_.size()));
  connections_.back()->start();
}

void HttpServer::drain() {
  draining_ = true;
  for (const auto& connection : connections_) connection->drain();
}

void HttpServer::on_held(std::size_t before, std::size_t now) { bytes_ += now - before; }

void HttpServer::make_room() {
  while (is_full()) {
    const auto largest = std::ranges::max_element(
        connections_, {}, [](const auto& connection) { return connection->reading_bytes(); });
    if (largest == connections_.end() || (*largest)->reading_bytes() == 0) return;
    (*largest)->refuse({503, "the server holds too many bytes of requests"});
  }
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
