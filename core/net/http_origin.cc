#include "core/net/http_origin.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/rare.h"
#include "core/base/wait.h"

namespace plumbline::net {

namespace {

// What an exchange with a deadline may open beyond the limit. Streams that wait for an answer to
// what they asked must not keep that answer from being sent.
constexpr std::size_t kReservedConnections = 8;

}  // namespace

// The exchange ------------------------------------------------------------------------------------

HttpClientExchange::HttpClientExchange(HttpOrigin& origin, std::string bytes, bool idempotent,
                                       bool head_only, HttpExchangeReader& reader)
    : origin_(origin),
      waiting_bytes_(bytes.size()),
      bytes_(std::move(bytes)),
      repeatable_(idempotent),
      head_only_(head_only),
      reader_(reader) {}

HttpClientExchange::~HttpClientExchange() {
  if (over_) return;
  settle();
  if (connection_ == nullptr) {
    origin_.leave(*this);
  } else {
    connection_->exchange_ = nullptr;
    origin_.forget(*connection_);
  }
}

void HttpClientExchange::start(Instant deadline) {
  brief_ = deadline != kNever;
  if (brief_) origin_.loop().arm(*this, deadline);
  refused_ = !origin_.enqueue(*this);
  if (refused_) origin_.loop().arm(*this, origin_.loop().now());
}

void HttpClientExchange::settle() {
  if (!refused_) origin_.waiting_bytes_ -= std::exchange(waiting_bytes_, 0);
}

std::unique_ptr<Pipe> HttpClientExchange::take_pipe() {
  check(connection_ != nullptr && connection_->pipe_ != nullptr, "no connection to take");
  connection_->pipe_->hand_over(connection_->reader_.drain());
  return std::move(connection_->pipe_);
}

void HttpClientExchange::fire() {
  over_ = true;
  settle();
  if (refused_) {
    const Error error = too_many_waiting();
    return reader_.on_failed(error, false);  // May destroy this.
  }
  if (connection_ == nullptr) {
    origin_.leave(*this);
  } else {
    connection_->exchange_ = nullptr;
    origin_.forget(*connection_);
  }
  const Error error{ErrorCode::kDeadlineExceeded,
                    "the answer of " + origin_.authority().host + " took too long"};
  reader_.on_failed(error, true);  // May destroy this.
}

// The connection ----------------------------------------------------------------------------------

HttpClientConnection::HttpClientConnection(HttpOrigin& origin, HttpClientExchange& exchange)
    : origin_(origin), exchange_(&exchange), reader_(origin.options().limits) {
  exchange.connection_ = this;
}

HttpClientConnection::~HttpClientConnection() = default;

void HttpClientConnection::dial() {
  dialling_ = dial_task(*this);
  dialling_.start();
}

Task<void> HttpClientConnection::dial_task(HttpClientConnection& self) {
  HttpOrigin& origin = self.origin_;
  std::optional<TlsClient> tls;
  if (origin.secure()) tls = origin.options().tls;
  Task<Result<std::unique_ptr<Pipe>>> dialled =
      origin.network().dial(origin.authority(), std::move(tls));
  const Instant deadline = after(origin.loop().now(), origin.options().connect_timeout);
  std::string what = "connecting to " + origin.authority().host;
  Result<Result<std::unique_ptr<Pipe>>> pipe =
      co_await with_deadline(origin.loop(), deadline, std::move(what), std::move(dialled));
  if (!pipe.ok()) {
    self.dial_error_ = pipe.error();
  } else if (!pipe.value().ok()) {
    self.dial_error_ = pipe.value().error();
  } else {
    self.pipe_ = std::make_unique<PipeSwitch>(origin.loop(), std::move(pipe).value().value());
  }
  origin.loop().arm(self, origin.loop().now());
}

void HttpClientConnection::fire() {
  dialling_.drop();
  if (dial_error_) return fail(*dial_error_, false);
  pipe_->start(*this);
  send();
}

void HttpClientConnection::take(HttpClientExchange& exchange) {
  exchange_ = &exchange;
  exchange.connection_ = this;
  reused_ = true;
  send();
}

void HttpClientConnection::send() {
  if (exchange_->head_only_) reader_.expect_no_body();
  exchange_->repeatable_ = exchange_->repeatable_ && reused_;
  std::string bytes = exchange_->repeatable_ ? exchange_->bytes_ : std::move(exchange_->bytes_);
  if (rare(Rare::kHttpWrite)) {
    pipe_->write(bytes.substr(0, bytes.size() / 2));
    bytes.erase(0, bytes.size() / 2);
  }
  pipe_->write(std::move(bytes));
}

void HttpClientConnection::on_bytes(std::string_view bytes) {
  constexpr std::size_t kFewBytes = 7;
  if (exchange_ == nullptr) return origin_.forget(*this);  // Nobody asked.
  while (head_read_ && bytes.size() > kFewBytes && rare(Rare::kHttpRead)) {
    reader_.feed(bytes.substr(0, kFewBytes));
    if (!read()) return;
    if (exchange_ == nullptr) return origin_.forget(*this);
    bytes.remove_prefix(kFewBytes);
  }
  reader_.feed(bytes);
  read();
}

void HttpClientConnection::on_end(const Error* error) {
  if (exchange_ == nullptr) return origin_.forget(*this);
  reader_.finish();
  if (!read()) return;
  if (exchange_ == nullptr) return origin_.forget(*this);
  fail(Error{ErrorCode::kDisconnected,
             error != nullptr ? error->message : "the server closed the connection"},
       true);
}

bool HttpClientConnection::read() {
  using Reader = wire::HttpResponseReader;
  const Lifeline::Guard guard(lifeline_);
  while (std::optional<Reader::Event> event = reader_.next()) {
    if (auto* const head = std::get_if<Reader::Head>(&*event)) {
      read_head(std::move(*head));
    } else if (const auto* const body = std::get_if<Reader::Body>(&*event)) {
      exchange_->reader_.on_body(body->bytes);
    } else if (const auto* const end = std::get_if<Reader::End>(&*event)) {
      finish(end->keep_alive);
      return guard.alive();
    } else {
      fail(Error{ErrorCode::kDisconnected, std::get<Reader::Broken>(*event).what}, true);
      return false;
    }
    if (!guard.alive()) return false;
  }
  return true;
}

void HttpClientConnection::read_head(wire::HttpResponseReader::Head head) {
  head_read_ = true;
  exchange_->repeatable_ = false;
  exchange_->bytes_ = std::string();
  exchange_->settle();
  const Lifeline::Guard guard(lifeline_);
  exchange_->reader_.on_head(head.status, head.headers);
  if (!guard.alive() || pipe_ != nullptr) return;
  // The pipe went to another protocol.
  HttpClientExchange& exchange = *std::exchange(exchange_, nullptr);
  exchange.connection_ = nullptr;
  exchange.over_ = true;
  exchange.disarm();
  origin_.forget(*this);
}

void HttpClientConnection::finish(bool keep_alive) {
  head_read_ = false;
  HttpClientExchange& exchange = *std::exchange(exchange_, nullptr);
  exchange.connection_ = nullptr;
  exchange.over_ = true;
  exchange.settle();
  exchange.disarm();
  // What came behind the answer would be taken for the next one.
  if (keep_alive && !reader_.started()) {
    idle_since_ = origin_.loop().now();
    origin_.free();
  } else {
    origin_.forget(*this);
  }
  exchange.reader_.on_end();  // May destroy the exchange, and this connection with the client.
}

void HttpClientConnection::fail(const Error& error, bool connected) {
  const Error why = error;
  HttpClientExchange& exchange = *std::exchange(exchange_, nullptr);
  exchange.connection_ = nullptr;
  if (reused_ && std::exchange(exchange.repeatable_, false) && !reader_.started()) {
    HttpOrigin& origin = origin_;
    origin.open(exchange);
    return origin.forget(*this);
  }
  exchange.over_ = true;
  exchange.settle();
  exchange.disarm();
  origin_.forget(*this);
  exchange.reader_.on_failed(why, connected);  // May destroy the exchange.
}

// The pool ----------------------------------------------------------------------------------------

HttpOrigin::HttpOrigin(Loop& loop, Network& network, const HttpClientOptions& options, Authority at,
                       bool secure)
    : loop_(loop),
      network_(network),
      options_(options),
      authority_(std::move(at)),
      secure_(secure) {}

HttpOrigin::~HttpOrigin() {
  check(queue_.empty(), "an HTTP exchange outlives its client");
  for (const auto& connection : connections_) {
    check(connection->idle(), "an HTTP exchange outlives its client");
  }
}

bool HttpOrigin::enqueue(HttpClientExchange& exchange) {
  if (queue_.size() >= options_.waiting_max) return false;
  if (waiting_bytes_ > 0 && waiting_bytes_ + exchange.waiting_bytes_ > options_.waiting_bytes_max) {
    return false;
  }
  waiting_bytes_ += exchange.waiting_bytes_;
  queue_.push_back(&exchange);
  free();
  return true;
}

void HttpOrigin::open(HttpClientExchange& exchange) {
  connections_.push_back(std::make_unique<HttpClientConnection>(*this, exchange));
  connections_.back()->dial();
}

void HttpOrigin::leave(HttpClientExchange& exchange) { std::erase(queue_, &exchange); }

void HttpOrigin::forget(HttpClientConnection& connection) {
  const auto found =
      std::find_if(connections_.begin(), connections_.end(),
                   [&connection](const auto& member) { return member.get() == &connection; });
  const std::unique_ptr<HttpClientConnection> gone = std::move(*found);
  connections_.erase(found);
  free();
}

void HttpOrigin::free() {
  while (!queue_.empty()) {
    HttpClientConnection* const idle = find_idle();
    HttpClientExchange* const next = next_in(idle != nullptr);
    if (next == nullptr) return;
    if (idle != nullptr) {
      idle->take(*next);
    } else {
      open(*next);
    }
  }
}

HttpClientExchange* HttpOrigin::next_in(bool connection_is_idle) {
  auto next = queue_.begin();
  if (!connection_is_idle && connections_.size() >= options_.connections_max) {
    if (connections_.size() >= options_.connections_max + kReservedConnections) return nullptr;
    next = std::ranges::find_if(queue_, [](const auto* waiting) { return waiting->brief_; });
    if (next == queue_.end()) return nullptr;
  }
  HttpClientExchange* const exchange = *next;
  queue_.erase(next);
  return exchange;
}

// find_idle returns the connection that was used last, and drops those that waited too long: a
// server may be about to close them.
HttpClientConnection* HttpOrigin::find_idle() {
  const bool room = connections_.size() < options_.connections_max;
  if (room && rare(Rare::kHttpNewConnection)) return nullptr;
  const Instant now = loop_.now();
  std::erase_if(connections_, [&](const auto& connection) {
    return connection->idle() && after(connection->idle_since(), options_.reuse_max) < now;
  });
  HttpClientConnection* best = nullptr;
  for (const auto& connection : connections_) {
    if (!connection->idle()) continue;
    if (best == nullptr || connection->idle_since() > best->idle_since()) best = connection.get();
  }
  return best;
}

}  // namespace plumbline::net
