// StreamableHttpServer is the server's side of the Streamable HTTP transport at one path, for the
// stateless revisions and for those with sessions, at once.
//
// It makes a MessageChannel for each session, and one for each stateless request. A session is of
// the principal that has opened it: to any other there is no such session.
//
// Spec 2026-07-28, basic/transports/streamable-http; 2025-11-25, basic/transports.

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/mcp/protocol/mcp_headers.h"
#include "core/mcp/transport/message_channel.h"
#include "core/mcp/transport/server/http_answers.h"
#include "core/mcp/transport/server/http_session.h"
#include "core/net/http_server.h"

namespace plumbline::transport {

struct StreamableHttpServerOptions {
  std::vector<std::string> stateful_versions;   // None: GET and DELETE are refused.
  std::vector<std::string> stateless_versions;  // None: every request belongs to a session.
  // new_session_id returns 1 to 255 visible ASCII characters that nobody can guess.
  std::function<std::string()> new_session_id;
  HttpSessionOptions session;
  std::size_t sessions_max = limits::kHttpSessionsMax;  // The next one is answered 503.
  // mirrored_params returns what a tool mirrors into headers (see param_headers_of), nullptr for
  // nothing. Empty: no tool does.
  std::function<const std::vector<ParamHeader>*(const std::string& tool)> mirrored_params;
};

class StreamableHttpServer final : public net::HttpHandler, private HttpSessionOwner {
 public:
  // OnChannel owns what it gets, and is told whom a gate has let in (HttpReply::principal). It may
  // destroy it at once; start() may also come later.
  using OnChannel =
      std::function<void(std::unique_ptr<MessageChannel> channel, std::string principal)>;

  // `loop` must outlive the server and its channels; these may outlive the server.
  StreamableHttpServer(Loop& loop, StreamableHttpServerOptions options, OnChannel on_channel);
  StreamableHttpServer(const StreamableHttpServer&) = delete;
  StreamableHttpServer& operator=(const StreamableHttpServer&) = delete;
  ~StreamableHttpServer();

  // implements HttpHandler ---
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;

  std::size_t sessions() const { return sessions_.size(); }

 private:
  void session_over(HttpSession& session) override;

  void on_post(wire::HttpRequest request, net::HttpReply reply);
  void on_stateless(const wire::HttpRequest& request, Posted posted, net::HttpReply reply);
  void on_stateful(const wire::HttpRequest& request, Posted posted, net::HttpReply reply);
  void open_session(Posted initialize, net::HttpReply reply);
  // find_session answers when there is none of the principal: 400 without an id, 404 with one.
  HttpSession* find_session(const wire::HttpRequest& request, net::HttpReply& reply);
  bool is_stateless(const wire::HttpRequest& request, const Json& message) const;
  std::optional<std::string> header_mismatch(const wire::HttpRequest& request,
                                             const Json& message) const;

  Loop& loop_;
  StreamableHttpServerOptions options_;
  OnChannel on_channel_;
  std::map<std::string, HttpSession*, std::less<>> sessions_;
};

}  // namespace plumbline::transport
