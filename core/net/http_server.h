// HttpServer answers HTTP/1.1 requests on streams that a Listener took.
//
// Requests of strangers are refused before the handler sees them: see HttpAccess. It keeps
// connections alive, serves what is pipelined in order, and bounds everything: bytes of a
// request and of all together, connections, and the time that one may wait for its next request.

#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/base/loop.h"
#include "core/net/http_access.h"
#include "core/net/http_reply.h"
#include "core/net/http_server_connection.h"
#include "core/net/pipe.h"

namespace plumbline::net {

class HttpServer final : private HttpServerConnection::Owner {
 public:
  // `loop` and `handler` must outlive the server.
  HttpServer(Loop& loop, HttpHandler& handler, HttpAccess access, HttpServerOptions options = {});
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  // accept serves a stream that nobody has started.
  void accept(std::unique_ptr<Pipe> pipe);

  // drain makes the answer to each request that is here the last of its connection, and closes the
  // connections that are idle. For a server that is about to go.
  void drain();

  std::size_t connections() const { return connections_.size(); }

  // guests returns who takes from this server, and what.
  Guests& callers() { return guests_; }

 private:
  // implements HttpServerConnection::Owner ---
  HttpHandler& handler() override { return handler_; }
  const HttpAccess& access() const override { return access_; }
  const HttpServerOptions& options() const override { return options_; }
  void forget(HttpServerConnection& connection) override;
  Guests& guests() override { return guests_; }
  GuestRounds& turns() override { return turns_; }
  bool draining() const override { return draining_; }
  bool make_room(const HttpServerConnection& asking) override;

  Loop& loop_;
  HttpHandler& handler_;
  HttpAccess access_;
  HttpServerOptions options_;
  Guests guests_;
  GuestRounds turns_;
  bool draining_ = false;
  std::vector<std::unique_ptr<HttpServerConnection>> connections_;
};

}  // namespace plumbline::net
