#include "core/net/http_server.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/net/http_server_connection.h"

namespace plumbline::transport {

HttpReply::HttpReply(HttpServerConnection& connection) : connection_(&connection) {
  connection.reply_ = this;
}

HttpReply::HttpReply(HttpReply&& other) noexcept
    : connection_(std::exchange(other.connection_, nullptr)), gone_(std::move(other.gone_)) {
  if (connection_ != nullptr) connection_->reply_ = this;
}

HttpReply& HttpReply::operator=(HttpReply&& other) noexcept {
  if (this == &other) return *this;
  drop();
  connection_ = std::exchange(other.connection_, nullptr);
  gone_ = std::move(other.gone_);
  if (connection_ != nullptr) connection_->reply_ = this;
  return *this;
}

HttpReply::~HttpReply() { drop(); }

void HttpReply::drop() {
  if (connection_ != nullptr) connection_->abandoned();
}

void HttpReply::respond(const wire::HttpResponse& response) {
  if (!open()) return;
  check(!connection_->streaming_, "respond() inside a stream");
  connection_->respond(response);
}

void HttpReply::open_stream(int status, const wire::HttpHeaders& headers) {
  if (!open()) return;
  check(!connection_->streaming_, "open_stream() inside a stream");
  connection_->open_stream(status, headers);
}

void HttpReply::write(std::string_view bytes) {
  if (!open()) return;
  check(connection_->streaming_, "write() before open_stream()");
  connection_->write(bytes);
}

void HttpReply::end() {
  if (!open()) return;
  check(connection_->streaming_, "end() before open_stream()");
  connection_->end();
}

std::unique_ptr<Pipe> HttpReply::upgrade(const wire::HttpHeaders& headers) {
  if (!open()) return nullptr;
  check(!connection_->streaming_, "upgrade() inside a stream");
  return connection_->upgrade(headers);
}

HttpServer::HttpServer(Loop& loop, HttpHandler& handler, HttpServerOptions options)
    : loop_(loop), handler_(handler), options_(options) {}

HttpServer::~HttpServer() = default;

void HttpServer::accept(std::unique_ptr<Pipe> pipe) {
  if (connections_.size() >= options_.connections_max) return;
  connections_.push_back(
      std::make_unique<HttpServerConnection>(*this, std::move(pipe), connections_.size()));
  connections_.back()->start();
}

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

}  // namespace plumbline::transport
