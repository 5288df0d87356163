// SseServer is the server's side of the HTTP+SSE transport: GET opens the stream of a session,
// which begins by announcing where its client has to POST. To any principal but the one that has
// opened it there is no such session.
//
// Spec 2024-11-05, basic/transports, HTTP with SSE.

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/mcp/transport/message_channel.h"
#include "core/mcp/transport/server/http_answers.h"
#include "core/net/http_server.h"

namespace plumbline::transport {

class SseSession;

struct SseServerOptions {
  std::string post_path = "/messages";  // The server answers there too.
  // new_session_id returns letters and digits that nobody can guess.
  std::function<std::string()> new_session_id;
  Duration keep_alive{};                                // Between comments on streams; zero: none.
  std::size_t sessions_max = limits::kHttpSessionsMax;  // The next one is answered 503.
};

class SseServer final : public net::HttpHandler {
 public:
  // OnChannel owns what it gets, one for each session. It may destroy it at once.
  using OnChannel =
      std::function<void(std::unique_ptr<MessageChannel> channel, std::string principal)>;

  // `loop` must outlive the server and its channels; these may outlive the server.
  SseServer(Loop& loop, SseServerOptions options, OnChannel on_channel);
  SseServer(const SseServer&) = delete;
  SseServer& operator=(const SseServer&) = delete;
  ~SseServer();

  // implements HttpHandler ---
  //
  // GET and POST tell the stream and the messages apart: give it both paths.
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;

 private:
  friend class SseSession;

  void open_session(net::HttpReply reply);
  void on_post(const wire::HttpRequest& request, net::HttpReply reply);

  Loop& loop_;
  SseServerOptions options_;
  OnChannel on_channel_;
  std::map<std::string, SseSession*, std::less<>> sessions_;
};

}  // namespace plumbline::transport
