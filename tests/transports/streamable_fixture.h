// What the tests of Streamable HTTP share: a server whose channels are kept as ChannelEnds, behind
// a handler that records what was asked, and a client.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/mcp/transport/server/streamable_http_server.h"
#include "core/mcp/transport/streamable_http_client.h"
#include "core/net/http_server.h"
#include "tests/transports/channel_end.h"
#include "tests/transports/worlds.h"

namespace plumbline::transports_test {

// HttpSpy keeps the requests that pass.
struct HttpSpy final : net::HttpHandler {
  void on_request(wire::HttpRequest request, net::HttpReply reply) override {
    requests.push_back(request);
    if (instead && instead(request, reply)) return;
    to->on_request(std::move(request), std::move(reply));
  }

  // find_posts returns the requests whose body has this method, or whose HTTP method it is.
  std::vector<wire::HttpRequest> of(const std::string& method) const {
    std::vector<wire::HttpRequest> found;
    for (const wire::HttpRequest& request : requests) {
      const Result<Json> body = parse_json(request.body);
      const bool called = body.ok() && string_or(body.value(), "method", "") == method;
      if (request.method == method || called) found.push_back(request);
    }
    return found;
  }

  std::vector<wire::HttpRequest> requests;
  net::HttpHandler* to = nullptr;
  // What the test answers itself. Returns whether it did.
  std::function<bool(const wire::HttpRequest&, net::HttpReply&)> instead;
};

inline Json meta(const std::string& version = "2026-07-28") {
  return {{"io.modelcontextprotocol/protocolVersion", version}};
}

template <typename World>
class StreamableTest : public WorldTest<World> {
 protected:
  void SetUp() override {
    restart();
    this->listen([this](auto pipe) { http_server_->accept(std::move(pipe)); });
    http_client_ = std::make_unique<net::HttpClient>(this->world_.loop, this->world_.network,
                                                     this->client_options());
    connect();
  }
  // The channels go before what they are made of.
  void TearDown() override {
    client_.reset();
    served_.clear();
  }

  // restart makes the server anew, from options_.
  void restart() {
    options_.stateful_versions = {"2025-03-26", "2025-06-18", "2025-11-25"};
    options_.stateless_versions = {"2026-07-28"};
    options_.new_session_id = [this] { return "session-" + std::to_string(++session_ids_); };
    server_ = std::make_unique<transport::StreamableHttpServer>(
        this->world_.loop, options_, [this](auto channel, const std::string& /*principal*/) {
          served_.push_back(std::make_unique<ChannelEnd>());
          ChannelEnd& end = *served_.back();
          if (on_served_) on_served_(end);
          end.take(std::move(channel));
        });
    spy_.to = server_.get();
    open_door();
  }

  // open_door makes the HTTP server anew: that of before drops its connections.
  void open_door() {
    net::HttpServerOptions options;
    options.refusal = transport::refuse_in_json;
    http_server_ = std::make_unique<net::HttpServer>(this->world_.loop, spy_, net::HttpAccess(),
                                                     std::move(options));
  }

  void connect(transport::StreamableHttpClientOptions options = {}) {
    client_ = std::make_unique<ChannelEnd>();
    auto channel = std::make_unique<transport::StreamableHttpClient>(
        *http_client_, this->url("/mcp"), std::move(options));
    streamable_ = channel.get();
    client_->take(std::move(channel));
  }

  // open_session goes through the handshake; served_[0] is then its other end.
  void open_session(const std::string& version = "2025-11-25") {
    client_->request(0, "initialize", {{"protocolVersion", version}});
    ASSERT_TRUE(this->world_.run_until([&] { return !served_.empty() && heard("initialize"); }));
    server().answer(0, {{"protocolVersion", version}});
    ASSERT_TRUE(this->world_.run_until([&] { return client_->find_answer(0) != nullptr; }));
    client_->notify("notifications/initialized");
    ASSERT_TRUE(this->world_.run_until([&] { return heard("notifications/initialized"); }));
    ASSERT_TRUE(this->world_.run_until([&] { return !spy_.of("GET").empty(); }));
    this->world_.settle();
  }

  ChannelEnd& server() { return *served_.back(); }
  bool heard(std::string_view method) { return server().find_method(method) != nullptr; }
  bool answered(const Json& id) { return client_->find_answer(id) != nullptr; }

  // post sends one message past the client and returns the answer.
  wire::HttpResponse post(const std::string& body, wire::HttpHeaders headers) {
    wire::HttpRequest request;
    request.method = "POST";
    request.headers = std::move(headers);
    request.body = body;
    return ask(std::move(request));
  }
  wire::HttpResponse ask(wire::HttpRequest request) {
    const Instant deadline = this->world_.loop.now() + std::chrono::seconds(10);
    const auto answer = this->wait(
        net::fetch(*http_client_, this->url("/mcp"), std::move(request), deadline, 1'000'000));
    return answer.ok() ? answer.value() : wire::HttpResponse{0, {}, answer.error().message};
  }

  transport::StreamableHttpServerOptions options_;
  int session_ids_ = 0;
  std::vector<std::unique_ptr<ChannelEnd>> served_;
  std::function<void(ChannelEnd&)> on_served_;
  HttpSpy spy_;
  std::unique_ptr<transport::StreamableHttpServer> server_;
  std::unique_ptr<net::HttpServer> http_server_;
  std::unique_ptr<net::HttpClient> http_client_;
  std::unique_ptr<ChannelEnd> client_;
  transport::StreamableHttpClient* streamable_ = nullptr;  // Of client_.
};

}  // namespace plumbline::transports_test
