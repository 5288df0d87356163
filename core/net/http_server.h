// HttpServer answers HTTP/1.1 requests on streams that a Listener took.
//
// It keeps connections alive, serves what is pipelined in order, and bounds everything: bytes of a
// request and of all together, connections, and the time that one may wait for its next request.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/limits.h"
#include "core/base/loop.h"
#include "core/net/pipe.h"
#include "core/wire/http.h"

namespace plumbline::transport {

class HttpServerConnection;

// HttpReply is the way to answer one request, at once or later: whole, as a stream, or by handing
// the connection over to another protocol. It may outlive the connection and the server; what it is
// told then is dropped.
//
// Dropping it unanswered answers 500; dropping it inside a stream breaks the stream off.
class HttpReply {
 public:
  HttpReply() = default;
  explicit HttpReply(HttpServerConnection& connection);
  HttpReply(HttpReply&& other) noexcept;
  HttpReply& operator=(HttpReply&& other) noexcept;
  ~HttpReply();

  // open returns whether an answer, or more of it, can still be given.
  bool open() const { return connection_ != nullptr; }

  // respond gives the whole answer.
  void respond(const wire::HttpResponse& response);

  // open_stream begins an answer without length; write adds to it, end ends it. A peer that reads
  // too slowly for the pipe's write queue loses the connection.
  void open_stream(int status, const wire::HttpHeaders& headers);
  void write(std::string_view bytes);
  void end();

  // on_gone names a function that is called once, from the loop, when the peer closes before the
  // answer has ended. It may destroy this object. None: nobody is told.
  void on_gone(std::function<void()> gone) { gone_ = std::move(gone); }

  // upgrade answers 101 and hands the connection over. What the peer sent behind its request is
  // read first. Null when the peer is gone.
  std::unique_ptr<Pipe> upgrade(const wire::HttpHeaders& headers);

 private:
  friend class HttpServerConnection;

  void drop();

  HttpServerConnection* connection_ = nullptr;
  std::function<void()> gone_;
};

class HttpHandler {
 public:
  // on_request gets one whole request. The next of the same connection follows when this one is
  // answered. It may destroy the server.
  virtual void on_request(wire::HttpRequest request, HttpReply reply) = 0;

 protected:
  ~HttpHandler() = default;
};

struct HttpServerOptions {
  wire::HttpLimits limits;
  Duration idle_max = limits::kHttpIdleMax;  // From one answer to the end of the next request.
  std::size_t connections_max = limits::kHttpConnectionsMax;  // More are closed at once.
  // Of all requests that are being read or answered. Past it 503 goes to who sends the largest.
  std::size_t bytes_max = limits::kHttpServerBytesMax;
};

class HttpServer {
 public:
  // `loop` and `handler` must outlive the server.
  HttpServer(Loop& loop, HttpHandler& handler, HttpServerOptions options = {});
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  // accept serves a stream that nobody has started.
  void accept(std::unique_ptr<Pipe> pipe);

  std::size_t connections() const { return connections_.size(); }

 private:
  friend class HttpServerConnection;

  // forget destroys the connection.
  void forget(HttpServerConnection& connection);
  bool is_full() const { return bytes_ > options_.bytes_max; }
  // make_room refuses the largest of the requests that are being read, while is_full().
  void make_room();

  Loop& loop_;
  HttpHandler& handler_;
  HttpServerOptions options_;
  std::size_t bytes_ = 0;  // Of requests, as the connections count them.
  std::vector<std::unique_ptr<HttpServerConnection>> connections_;
};

}  // namespace plumbline::transport
