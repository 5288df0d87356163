#include "core/mcp/transport/server/websocket_server.h"

#include <string>
#include <utility>

#include "core/mcp/transport/websocket_channel.h"
#include "core/wire/websocket_handshake.h"

namespace plumbline::transport {

WebSocketServer::WebSocketServer(Loop& loop, OnChannel on_channel)
    : loop_(loop), on_channel_(std::move(on_channel)) {}

void WebSocketServer::on_request(wire::HttpRequest request, net::HttpReply reply) {
  const wire::WebSocketAnswer answer =
      wire::answer_ws_request(request, {std::string(kMcpSubprotocol)});
  if (!answer.accepted()) return reply.respond(answer.response);
  Share share = reply.share();
  std::unique_ptr<net::Pipe> pipe = reply.upgrade(answer.response.headers);
  if (pipe == nullptr) return;
  on_channel_(std::make_unique<WebSocketChannel>(
                  loop_, std::move(pipe), wire::WebSocketRole::kServer, nullptr, std::move(share)),
              reply.principal());
}

}  // namespace plumbline::transport
