// MirrorServer stands behind a gateway that is judged: an MCP server over Streamable HTTP that
// shows what reached it, unchanged, and does what the judge wants at the moment it wants it.
//
// Its tools: echo returns its arguments, count sends progress, ask puts a question to the client,
// fail answers with an error, hold waits for the judge.

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/json/json.h"
#include "core/mcp/transport/server/streamable_http_server.h"
#include "core/net/http_server.h"
#include "core/net/network.h"

namespace plumbline::conformance {

// What a mirror keeps of what reached it. Behind either, it forgets the older half.
inline constexpr std::size_t kMirrorHeardMax = 10'000;  // Messages, and HTTP requests.
inline constexpr std::size_t kMirrorBytesMax = 64U << 20U;
inline constexpr std::size_t kMirrorHeldMax = 1'000;  // Calls that wait, of one kind.

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
  // heard and requests return what came last, in order.
  const std::vector<Heard>& heard() const { return heard_; }
  const std::vector<wire::HttpRequest>& requests() const { return requests_; }

  // sessions returns how many are not over.
  std::size_t sessions() const { return sessions_.size(); }

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

  void accept(std::unique_ptr<transport::MessageChannel> channel);
  void keep(Heard heard);

  std::vector<Heard> heard_;
  std::size_t heard_bytes_ = 0;
  std::vector<wire::HttpRequest> requests_;  // Without their bodies.
  std::vector<Held> held_;
  std::map<std::size_t, std::unique_ptr<Session>> sessions_;  // By number.
  std::size_t sessions_begun_ = 0;
  transport::StreamableHttpServer streamable_;
  transport::HttpServer http_;
  std::unique_ptr<transport::Listener> listener_;
};

}  // namespace plumbline::conformance
