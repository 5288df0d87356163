// HttpOrigin is the pool of connections of an HttpClient to one origin.

#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/lifeline.h"
#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/net/http_exchange.h"
#include "core/net/pipe_switch.h"

namespace plumbline::net {

class HttpClientConnection;
class HttpOrigin;

// HttpClientExchange waits in its origin's queue, then has a connection until it is over.
class HttpClientExchange final : public HttpExchange, private Timer {
 public:
  HttpClientExchange(HttpOrigin& origin, std::string bytes, bool idempotent, bool head_only,
                     HttpExchangeReader& reader);
  ~HttpClientExchange() override;

  void start(Instant deadline);
  std::unique_ptr<Pipe> take_pipe() override;

 private:
  friend class HttpClientConnection;
  friend class HttpOrigin;

  void fire() override;
  // settle takes the bytes of this request off those that wait: its answer has begun or never will.
  void settle();

  HttpOrigin& origin_;
  std::size_t waiting_bytes_;
  std::string bytes_;  // The request; kept after it was sent only while it may be sent again.
  bool repeatable_;
  bool head_only_;
  bool brief_ = false;    // It has a deadline.
  bool refused_ = false;  // Too many wait.
  HttpExchangeReader& reader_;
  HttpClientConnection* connection_ = nullptr;
  bool over_ = false;
};

class HttpClientConnection final : private PipeReader, private Timer {
 public:
  HttpClientConnection(HttpOrigin& origin, HttpClientExchange& exchange);
  ~HttpClientConnection();

  void dial();
  bool idle() const { return exchange_ == nullptr; }
  Instant idle_since() const { return idle_since_; }
  // take sends the request of `exchange` on this idle connection.
  void take(HttpClientExchange& exchange);

 private:
  friend class HttpClientExchange;

  static Task<void> dial_task(HttpClientConnection& self);
  // fire goes on after dialling, outside of the Task.
  void fire() override;
  void on_bytes(std::string_view bytes) override;
  void on_end(const Error* error) override;

  void send();
  // read hands over what has arrived. Returns whether this connection still exists.
  bool read();
  void read_head(wire::HttpResponseReader::Head head);
  void finish(bool keep_alive);
  // fail destroys this connection and tells the exchange, or lets it try once more.
  void fail(const Error& error, bool connected);

  HttpOrigin& origin_;
  HttpClientExchange* exchange_;
  std::unique_ptr<PipeSwitch> pipe_;  // Null while dialling, and once handed over.
  wire::HttpResponseReader reader_;
  bool reused_ = false;
  bool head_read_ = false;  // Of the present answer.
  Instant idle_since_{};
  std::optional<Error> dial_error_;
  Lifeline lifeline_;
  Task<void> dialling_;
};

class HttpOrigin {
 public:
  HttpOrigin(Loop& loop, Network& network, const HttpClientOptions& options, Authority at,
             bool secure);
  ~HttpOrigin();

  Loop& loop() { return loop_; }
  Network& network() { return network_; }
  const HttpClientOptions& options() const { return options_; }
  const Authority& authority() const { return authority_; }
  bool secure() const { return secure_; }
  std::size_t connections() const { return connections_.size(); }

  // enqueue finds a connection for the exchange, now or when one is free. Returns false, and does
  // nothing, when too many wait.
  bool enqueue(HttpClientExchange& exchange);
  // open gives the exchange a new connection.
  void open(HttpClientExchange& exchange);
  // leave takes a waiting exchange out of the queue.
  void leave(HttpClientExchange& exchange);
  // forget destroys the connection; free tells that it is idle. The queue moves up.
  void forget(HttpClientConnection& connection);
  void free();

 private:
  friend class HttpClientExchange;

  HttpClientConnection* find_idle();
  // next_in takes the exchange out of the queue whose turn it is; null when it has to wait.
  HttpClientExchange* next_in(bool connection_is_idle);

  Loop& loop_;
  Network& network_;
  const HttpClientOptions& options_;
  Authority authority_;
  bool secure_;
  std::deque<HttpClientExchange*> queue_;
  std::size_t waiting_bytes_ = 0;  // Of requests, until their answers begin.
  std::vector<std::unique_ptr<HttpClientConnection>> connections_;
};

}  // namespace plumbline::net
