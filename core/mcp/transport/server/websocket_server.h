// WebSocketServer makes a MessageChannel of each WebSocket that a client opens.

#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/mcp/transport/message_channel.h"
#include "core/net/http_server.h"

namespace plumbline::transport {

class WebSocketServer final : public net::HttpHandler {
 public:
  // OnChannel owns what it gets, and is told whom a gate has let in (HttpReply::principal). It may
  // destroy it at once.
  using OnChannel =
      std::function<void(std::unique_ptr<MessageChannel> channel, std::string principal)>;

  // `loop` must outlive the server and its channels; these may outlive the server.
  WebSocketServer(Loop& loop, OnChannel on_channel);

  // implements HttpHandler ---
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;

 private:
  Loop& loop_;
  OnChannel on_channel_;
};

}  // namespace plumbline::transport
