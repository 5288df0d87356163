// WebListener is where `serve` can be reached over the network: one listener, and the transport
// that the options name behind it.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "core/base/loop.h"
#include "core/transport/http_router.h"
#include "core/transport/http_server.h"
#include "core/transport/message_channel.h"
#include "core/transport/network.h"
#include "core/transport/sse_server.h"
#include "core/transport/streamable_http_server.h"
#include "core/transport/websocket_server.h"

namespace plumbline::cli {

// SpokenVersions are the protocol versions of a server, by what the transport must know of them.
struct SpokenVersions {
  std::vector<std::string> stateful;
  std::vector<std::string> stateless;
};

// versions_up_to returns the stateful ones that are not newer than `newest`; all of both kinds
// without it.
SpokenVersions versions_up_to(const std::string& newest);
SpokenVersions all_versions();

class WebListener {
 public:
  // OnChannel gets a channel for each session, and for each stateless request.
  using OnChannel = std::function<void(std::unique_ptr<transport::MessageChannel> channel)>;

  using MirroredParams = decltype(transport::StreamableHttpServerOptions::mirrored_params);

  // open listens as `options` says. `loop` and `network` must outlive the listener; channels may
  // outlive it. kInvalidInput: the place is taken or not ours, a file of TLS cannot be used.
  // `mirrored_params` is that of StreamableHttpServerOptions.
  static Result<std::unique_ptr<WebListener>> open(Loop& loop, transport::Network& network,
                                                   const ServeOptions& options,
                                                   SpokenVersions versions, OnChannel on_channel,
                                                   MirroredParams mirrored_params = {});

  // url returns where clients connect to: "http://127.0.0.1:34567/mcp".
  const std::string& url() const { return url_; }

  // Use open().
  explicit WebListener(Loop& loop) : loop_(loop), server_(loop, router_) {}

 private:
  std::string url_;
  // serve puts the transport of `options` behind the router and returns the path of its URL.
  std::string serve(const ServeOptions& options, SpokenVersions versions, OnChannel on_channel,
                    MirroredParams mirrored_params);

  Loop& loop_;
  std::optional<transport::StreamableHttpServer> streamable_;
  std::optional<transport::SseServer> sse_;
  std::optional<transport::WebSocketServer> web_socket_;
  transport::HttpRouter router_;
  transport::HttpServer server_;
  std::unique_ptr<transport::Listener> listener_;
};

}  // namespace plumbline::cli
