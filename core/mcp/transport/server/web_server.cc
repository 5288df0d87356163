#include "core/mcp/transport/server/web_server.h"

#include <utility>

#include "core/base/check.h"
#include "core/mcp/transport/server/http_answers.h"

namespace plumbline::transport {

namespace {

net::HttpServerOptions http_options() {
  net::HttpServerOptions options;
  options.refusal = refuse_in_json;
  return options;
}

}  // namespace

WebServer::WebServer(Loop& loop, net::HttpAccess access)
    : loop_(loop), http_(loop, front_, std::move(access), http_options()) {}

std::string WebServer::serve(WebServerOptions& options, OnChannel on_channel) {
  check(options.transport != mcp::Transport::kStdio, "stdio is no place of a network");
  switch (options.transport) {
    case mcp::Transport::kWebSocket:
      web_socket_.emplace(loop_, std::move(on_channel));
      router_.add("/mcp", *web_socket_);
      return "/mcp";
    case mcp::Transport::kSse: {
      SseServerOptions sse;
      sse.new_session_id = std::move(options.new_session_id);
      const std::string post_path = sse.post_path;
      sse_.emplace(loop_, std::move(sse), std::move(on_channel));
      router_.add("/sse", *sse_);
      router_.add(post_path, *sse_);
      return "/sse";
    }
    case mcp::Transport::kStreamableHttp:
    case mcp::Transport::kStdio:
      break;
  }
  StreamableHttpServerOptions http;
  http.stateful_versions = std::move(options.stateful_versions);
  http.stateless_versions = std::move(options.stateless_versions);
  http.new_session_id = std::move(options.new_session_id);
  http.mirrored_params = std::move(options.mirrored_params);
  streamable_.emplace(loop_, std::move(http), std::move(on_channel));
  router_.add("/mcp", *streamable_);
  return "/mcp";
}

Result<std::unique_ptr<WebServer>> WebServer::listen(Loop& loop, net::Network& network,
                                                     WebServerOptions options,
                                                     OnChannel on_channel) {
  auto web = std::make_unique<WebServer>(loop, std::move(options.access));
  net::HttpGate* const gate = options.gate;
  web->front_.first = &web->router_;
  if (gate != nullptr) web->front_.first = gate;
  for (const auto& [beside, handler] : options.beside) web->router_.add(beside, *handler);
  const std::string path = web->serve(options, std::move(on_channel));
  Result<std::unique_ptr<net::Listener>> listening = network.listen(
      options.at, options.tls,
      [&http = web->http_](std::unique_ptr<net::Pipe> pipe) { http.accept(std::move(pipe)); });
  if (!listening.ok()) return std::move(listening).error();
  web->listener_ = std::move(listening).value();
  std::string scheme = options.transport == mcp::Transport::kWebSocket ? "ws" : "http";
  if (options.tls) scheme += 's';
  const net::Authority at{options.at.host, web->listener_->port()};
  web->url_ = scheme + "://" + describe(at) + path;
  if (gate != nullptr) gate->guard(web->url_, web->router_);
  return web;
}

}  // namespace plumbline::transport
