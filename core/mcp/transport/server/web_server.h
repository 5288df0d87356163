// WebServer is one place of a Network where an MCP server can be reached: a listener, HTTP, and the
// transport of MCP behind its path.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/loop.h"
#include "core/mcp/protocol/transports.h"
#include "core/mcp/transport/message_channel.h"
#include "core/mcp/transport/server/sse_server.h"
#include "core/mcp/transport/server/streamable_http_server.h"
#include "core/mcp/transport/server/websocket_server.h"
#include "core/net/http_gate.h"
#include "core/net/http_router.h"
#include "core/net/http_server.h"
#include "core/net/network.h"

namespace plumbline::transport {

struct WebServerOptions {
  mcp::Transport transport = mcp::Transport::kStreamableHttp;  // Not kStdio.
  net::Authority at;
  std::optional<net::TlsServer> tls;
  // new_session_id returns letters and digits that nobody can guess. A WebSocket needs none.
  std::function<std::string()> new_session_id;
  net::HttpAccess access;  // Of all that is served here.
  // Of Streamable HTTP: see StreamableHttpServerOptions.
  std::vector<std::string> stateful_versions;
  std::vector<std::string> stateless_versions;
  std::function<const std::vector<ParamHeader>*(const std::string& tool)> mirrored_params;
  // What else is served, by its path. All must outlive the server.
  std::map<std::string, net::HttpHandler*> beside;
  // Stands before everything that is served, and must outlive the server; nullptr: nothing does.
  net::HttpGate* gate = nullptr;
};

class WebServer {
 public:
  // OnChannel gets a channel for each session, and for each stateless request, and whom the gate
  // has let in; empty without one.
  using OnChannel =
      std::function<void(std::unique_ptr<MessageChannel> channel, std::string principal)>;

  // listen begins to serve. `loop` and `network` must outlive the server; channels may outlive it.
  // kInvalidInput: the place is taken or not ours, a file of TLS cannot be used.
  static Result<std::unique_ptr<WebServer>> listen(Loop& loop, net::Network& network,
                                                   WebServerOptions options, OnChannel on_channel);

  WebServer(Loop& loop, net::HttpAccess access);  // Serves nothing yet.

  // url returns where clients connect to: "http://127.0.0.1:34567/mcp".
  const std::string& url() const { return url_; }

 private:
  // serve puts the transport behind the router and returns the path of its URL.
  std::string serve(WebServerOptions& options, OnChannel on_channel);

  Loop& loop_;
  std::string url_;
  std::optional<StreamableHttpServer> streamable_;
  std::optional<SseServer> sse_;
  std::optional<WebSocketServer> web_socket_;
  // Front is the gate, where there is one, or the router.
  struct Front final : net::HttpHandler {
    void on_request(wire::HttpRequest request, net::HttpReply reply) override {
      first->on_request(std::move(request), std::move(reply));
    }
    net::HttpHandler* first = nullptr;
  };

  net::HttpRouter router_;
  Front front_;
  net::HttpServer http_;
  std::unique_ptr<net::Listener> listener_;
};

}  // namespace plumbline::transport
