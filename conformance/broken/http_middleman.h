// HttpMiddleman sits between a judge and an MCP server over HTTP, and lets a Deviation intercept
// every request, every answer and every message.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "conformance/broken/altered.h"
#include "conformance/broken/deviation.h"
#include "core/base/loop.h"
#include "core/base/task_group.h"
#include "core/net/http_client.h"
#include "core/net/http_server.h"
#include "core/net/network.h"

namespace plumbline::conformance {

class HttpMiddleman final : public Interceptor, private net::HttpHandler {
 public:
  // `to` is the server's URL, `upstream` that of what stands behind it, which may be empty;
  // `altered` may be null.
  // Everything given must outlive the middleman.
  HttpMiddleman(Loop& loop, net::Network& network, wire::Url to, const Deviation& deviation,
                std::string upstream = {}, Altered* altered = nullptr);
  ~HttpMiddleman();

  // rise listens again at the same place after die(): nobody is known any longer.
  void rise();

  // url returns where the judge is to go.
  wire::Url url() const;

  // implements Interceptor ---
  void say_text(std::string text) override;
  void pass_text(std::string text) override;
  void stop() override;
  void die() override;
  void say_on_stream(const Json& message) override;
  int streams() const override;
  Json asked(const Json& response) const override;

 private:
  class Relay;

  // implements transport::HttpHandler ---
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;

  void open();
  Behind behind(std::string upstream);
  void tell(const std::string& session, const Json& message);
  Task<void> ask(wire::Url to, wire::HttpRequest request);
  void listen(std::uint16_t port);
  Instant done_with_work();
  Task<void> begin_at(Instant when, Relay* relay);
  Task<void> fall();

  Loop& loop_;
  net::Network& network_;
  wire::Url to_;
  const Deviation& deviation_;
  Altered* altered_;
  std::unique_ptr<Keeper> keeper_;
  net::HttpClient client_;
  std::unique_ptr<net::HttpServer> server_;
  std::unique_ptr<net::Listener> listener_;
  std::uint16_t port_ = 0;
  int life_ = 0;                            // Sessions of an earlier one are not known.
  std::vector<net::HttpReply> unanswered_;  // To what came while it fell.
  bool dead_ = false;
  std::map<std::string, int> lives_;  // Of sessions.
  Instant busy_until_[2] = {};        // Two processors.
  // Over HTTP+SSE: requests, by where they were posted and their id. Answers come elsewhere.
  std::map<std::string, Json> posted_;
  Relay* current_ = nullptr;  // Whose exchange is being worked on.
  std::vector<std::unique_ptr<Relay>> relays_;
  TaskGroup tasks_;
};

}  // namespace plumbline::conformance
