// MirrorServer stands behind a gateway that is judged: an MCP server over Streamable HTTP that
// shows what reached it, unchanged, and does what the judge wants at the moment it wants it.
//
// Its tools: echo returns its arguments, count sends progress, ask puts a question to the client,
// fail answers with an error, hold waits for the judge.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/json/json.h"
#include "core/transport/http_server.h"
#include "core/transport/network.h"
#include "core/transport/streamable_http_server.h"

namespace plumbline::conformance {

class MirrorServer final : private transport::HttpHandler {
 public:
  // Heard is one message that reached the server.
  struct Heard {
    std::size_t session = 0;  // Counted from 1; a stateless request is one by itself.
    Json message;
  };
  // Held is one call of the tool hold that waits.
  struct Held {
    std::size_t session = 0;
    Json id;
    std::string mark;
  };

  // listen begins to serve at `at`. kInvalidInput: the place is taken or not ours. `loop` and
  // `network` must outlive the server.
  static Result<std::unique_ptr<MirrorServer>> listen(Loop& loop, transport::Network& network,
                                                      transport::Authority at,
                                                      std::function<std::string()> new_session_id);

  MirrorServer(Loop& loop, std::function<std::string()> new_session_id);
  ~MirrorServer();

  std::uint16_t port() const { return listener_->port(); }
  const std::vector<Heard>& heard() const { return heard_; }
  const std::vector<wire::HttpRequest>& requests() const { return requests_; }

  // held returns the call of hold with `mark` that still waits, nullptr when there is none.
  const Held* held(std::string_view mark) const;

  // release answers it.
  void release(std::string_view mark);

  // tell sends a notification to one session alone.
  void tell(std::size_t session, const std::string& method);

 private:
  class Session;

  // implements transport::HttpHandler ---
  void on_request(wire::HttpRequest request, transport::HttpReply reply) override;

  std::vector<Heard> heard_;
  std::vector<wire::HttpRequest> requests_;  // Without their bodies.
  std::vector<Held> held_;
  std::vector<std::unique_ptr<Session>> sessions_;
  transport::StreamableHttpServer streamable_;
  transport::HttpServer http_;
  std::unique_ptr<transport::Listener> listener_;
};

}  // namespace plumbline::conformance
