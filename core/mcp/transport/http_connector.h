// HttpConnector connects to servers that are reached by a URL.

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/base/loop.h"
#include "core/base/random_bytes.h"
#include "core/mcp/protocol/transports.h"
#include "core/mcp/transport/channel_kit.h"
#include "core/mcp/transport/connection.h"
#include "core/net/http_authorizer.h"
#include "core/net/network.h"
#include "core/wire/http.h"
#include "core/wire/url.h"

namespace plumbline::transport {

struct HttpEndpoint {
  // Nothing: Streamable HTTP; HTTP+SSE once initialize is refused with 400, 404 or 405. A ws or wss
  // URL is a WebSocket whatever it says. Not kStdio.
  std::optional<mcp::Transport> transport;
  wire::Url url;
  wire::HttpHeaders headers;  // Sent with every request. Values without control characters.
  net::TlsClient tls;
  // Looks after every exchange with the server; nullptr: nobody does. It must outlive the
  // connector.
  net::HttpAuthorizer* authorizer = nullptr;
};

class HttpConnector final : public Connector {
 public:
  // `loop` and `network` must outlive the connector and its connections. `random` is for
  // WebSockets.
  HttpConnector(Loop& loop, net::Network& network, std::map<std::string, HttpEndpoint> servers,
                RandomBytes random);

  // implements Connector ---
  //
  // Only a WebSocket is open when connect returns, or is refused (RefusedChannel). The others open
  // with the first message, and their channel tells when that fails.
  Task<Result<std::unique_ptr<Connection>>> connect(std::string server) override;

 private:
  Task<Result<std::unique_ptr<Connection>>> open_websocket(HttpEndpoint endpoint);

  Loop& loop_;
  net::Network& network_;
  std::map<std::string, HttpEndpoint> servers_;
  RandomBytes random_;
};

}  // namespace plumbline::transport
