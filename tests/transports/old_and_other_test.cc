// HTTP+SSE (2024-11-05) and WebSockets, and the connector that chooses among all transports.

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/mcp/transport/http_connector.h"
#include "core/mcp/transport/server/sse_server.h"
#include "core/mcp/transport/server/streamable_http_server.h"
#include "core/mcp/transport/server/websocket_server.h"
#include "core/net/http_router.h"
#include "core/wire/websocket.h"
#include "fakes/testing/pipe_log.h"
#include "tests/transports/channel_end.h"
#include "tests/transports/worlds.h"

namespace plumbline::transports_test {
namespace {

using mcp::Transport;
using net::HttpReply;
using std::chrono::milliseconds;
using std::chrono::seconds;

// Teller tells every request to a function, before its handler.
struct Teller final : net::HttpHandler {
  void on_request(wire::HttpRequest request, net::HttpReply reply) override {
    told.push_back(request.method + " " + request.target);
    if (instead && instead(request, reply)) return;
    router.on_request(std::move(request), std::move(reply));
  }
  std::vector<std::string> told;
  std::function<bool(const wire::HttpRequest&, net::HttpReply&)> instead;
  net::HttpRouter router;
};

// Numbering shows the number of a token, and the next one where that is refused.
struct Numbering final : net::HttpAuthorizer {
  Task<Result<wire::HttpHeaders>> headers_for(wire::Url /*to*/) override {
    if (failure) co_return *failure;
    wire::HttpHeaders headers;
    headers.set("Authorization", "Bearer " + std::to_string(number));
    co_return headers;
  }
  Task<Result<bool>> on_refused(net::HttpRefusal refusal) override {
    const std::string sent(refusal.sent.get("Authorization").value_or(""));
    if (sent == "Bearer " + std::to_string(number)) ++number;
    co_return !gives_up;
  }
  void on_answered(const wire::HttpHeaders& /*sent*/) override { ++answered; }

  int number = 0;
  int answered = 0;
  bool gives_up = false;
  std::optional<Error> failure;
};

template <typename World>
class ConnectorTest : public WorldTest<World> {
 protected:
  void SetUp() override {
    transport::SseServerOptions sse;
    sse.new_session_id = [this] { return "s" + std::to_string(++ids_); };
    sse_ = std::make_unique<transport::SseServer>(this->world_.loop, sse, taker());
    transport::StreamableHttpServerOptions streamable;
    streamable.stateful_versions = {"2025-11-25"};
    streamable.stateless_versions = {"2026-07-28"};
    streamable.new_session_id = sse.new_session_id;
    streamable_ =
        std::make_unique<transport::StreamableHttpServer>(this->world_.loop, streamable, taker());
    ws_ = std::make_unique<transport::WebSocketServer>(this->world_.loop, taker());
    teller_.router.add("/sse", *sse_);
    teller_.router.add("/messages", *sse_);
    teller_.router.add("/mcp", *streamable_);
    teller_.router.add("/ws", *ws_);
    http_ = std::make_unique<net::HttpServer>(this->world_.loop, teller_, net::HttpAccess());
    this->listen([this](auto pipe) { http_->accept(std::move(pipe)); });
  }
  void TearDown() override {
    connection_.reset();
    served_.clear();
  }

  transport::SseServer::OnChannel taker() {
    return [this](auto channel, const std::string& /*principal*/) {
      served_.push_back(std::make_unique<ChannelEnd>(std::move(channel)));
    };
  }

  Status connect(std::optional<Transport> kind, const std::string& target) {
    transport::HttpEndpoint endpoint{kind, this->url(target), {{"X-Key", "k"}}, {}};
    if (this->world_.client_tls) endpoint.tls = *this->world_.client_tls;
    endpoint.authorizer = authorizer_;
    connector_ = std::make_unique<transport::HttpConnector>(
        this->world_.loop, this->world_.network,
        std::map<std::string, transport::HttpEndpoint>{{"it", endpoint}},
        [this](std::size_t count) { return std::string(count, static_cast<char>(++random_)); });
    auto connected = this->wait(connector_->connect("it"));
    if (!connected.ok()) return connected.error();
    connection_ = std::move(connected).value();
    client_.use(connection_->channel());
    return Done();
  }

  // talk goes through a handshake, one call and one message of the server's own.
  void talk() {
    client_.request(0, "initialize", {{"protocolVersion", "2025-11-25"}});
    ASSERT_TRUE(this->world_.run_until(
        [&] { return !served_.empty() && server().find_method("initialize") != nullptr; }));
    server().answer(0, {{"protocolVersion", "2025-11-25"}});
    ASSERT_TRUE(this->world_.run_until([&] { return client_.find_answer(0) != nullptr; }));
    client_.notify("notifications/initialized");
    client_.request(1, "tools/call", {{"text", "\u00fc\n"}});
    ASSERT_TRUE(
        this->world_.run_until([&] { return server().find_method("tools/call") != nullptr; }));
    EXPECT_EQ((*server().find_method("tools/call"))["params"]["text"], "\u00fc\n");
    server().answer(1, "one");
    server().notify("notifications/x");
    ASSERT_TRUE(this->world_.run_until([&] {
      return client_.find_answer(1) != nullptr && client_.find_method("notifications/x") != nullptr;
    }));
    EXPECT_EQ(server().messages.size(), 3U);
    EXPECT_EQ(server().messages[1]["method"], "notifications/initialized");
  }

  // expect_all_authorized talks to a server that has enough of a token after every second request:
  // streams, openings and farewells take part as everything else does.
  void expect_all_authorized(Transport kind, const std::string& target) {
    Numbering numbering;
    authorizer_ = &numbering;
    int good = 1;
    int seen = 0;
    teller_.instead = [&](const wire::HttpRequest& request, net::HttpReply& reply) {
      const bool shown = request.headers.get("Authorization") == "Bearer " + std::to_string(good);
      if (!shown) {
        reply.respond(wire::HttpResponse{401, {}, ""});
      } else if (++seen % 2 == 0) {
        ++good;
      }
      return !shown;
    };
    ASSERT_TRUE(connect(kind, target).ok());
    ASSERT_NO_FATAL_FAILURE(talk());
    auto closing = connection_->close();
    closing.start();
    ASSERT_TRUE(this->world_.run_until([&] { return closing.done(); }));
    EXPECT_TRUE(client_.lost.empty());
    EXPECT_GE(seen, kind == Transport::kWebSocket ? 1 : 4);
    EXPECT_EQ(numbering.answered, seen);
    connection_.reset();
  }

  ChannelEnd& server() { return *served_.back(); }

  int ids_ = 0;
  int random_ = 0;
  net::HttpAuthorizer* authorizer_ = nullptr;
  Teller teller_;
  std::unique_ptr<transport::SseServer> sse_;
  std::unique_ptr<transport::StreamableHttpServer> streamable_;
  std::unique_ptr<transport::WebSocketServer> ws_;
  std::unique_ptr<net::HttpServer> http_;
  std::vector<std::unique_ptr<ChannelEnd>> served_;
  std::unique_ptr<transport::HttpConnector> connector_;
  std::unique_ptr<transport::Connection> connection_;
  ChannelEnd client_;
};

TYPED_TEST_SUITE(ConnectorTest, AllWorlds);

TYPED_TEST(ConnectorTest, StreamableHttpIsSpokenAndEndsItsSession) {
  ASSERT_TRUE(this->connect(Transport::kStreamableHttp, "/mcp").ok());
  ASSERT_NO_FATAL_FAILURE(this->talk());
  auto closing = this->connection_->close();
  closing.start();
  ASSERT_TRUE(this->world_.run_until([&] { return closing.done(); }));
  EXPECT_EQ(this->teller_.told.back(), "DELETE /mcp");
  EXPECT_TRUE(this->server().closed);
}

TYPED_TEST(ConnectorTest, HttpWithSseIsSpoken) {
  ASSERT_TRUE(this->connect(Transport::kSse, "/sse").ok());
  ASSERT_NO_FATAL_FAILURE(this->talk());
  EXPECT_EQ(this->teller_.told[0], "GET /sse");
  EXPECT_EQ(this->teller_.told[1], "POST /messages?sessionId=s1");
  this->connection_.reset();
  ASSERT_TRUE(this->world_.run_until([&] { return this->server().closed; }));
}

TYPED_TEST(ConnectorTest, EveryRequestOfStreamableHttpIsAuthorized) {
  this->expect_all_authorized(Transport::kStreamableHttp, "/mcp");
}

TYPED_TEST(ConnectorTest, EveryRequestOfHttpWithSseIsAuthorized) {
  this->expect_all_authorized(Transport::kSse, "/sse");
}

TYPED_TEST(ConnectorTest, TheOpeningOfAWebSocketIsAuthorized) {
  this->expect_all_authorized(Transport::kWebSocket, "/ws");
}

TYPED_TEST(ConnectorTest, WhatAnAuthorizerSaysIsTheAnswer) {
  Numbering numbering;
  numbering.failure = Error{ErrorCode::kUnsupported, "run the login"};
  this->authorizer_ = &numbering;
  ASSERT_TRUE(this->connect(std::nullopt, "/mcp").ok());
  this->client_.request(0, "initialize");
  ASSERT_TRUE(this->world_.run_until([&] { return this->client_.find_answer(0) != nullptr; }));
  EXPECT_EQ((*this->client_.find_answer(0))["error"]["message"],
            "HTTP 401 Unauthorized: run the login");
  EXPECT_TRUE(this->teller_.told.empty());
}

TYPED_TEST(ConnectorTest, AServerThatRefusesForEverIsAskedABoundedNumberOfTimes) {
  Numbering numbering;
  this->authorizer_ = &numbering;
  this->teller_.instead = [](const wire::HttpRequest&, net::HttpReply& reply) {
    reply.respond(wire::HttpResponse{403, {}, ""});
    return true;
  };
  ASSERT_TRUE(this->connect(std::nullopt, "/mcp").ok());
  this->client_.request(0, "initialize");
  ASSERT_TRUE(this->world_.run_until([&] { return this->client_.find_answer(0) != nullptr; }));
  EXPECT_EQ(this->teller_.told.size(), static_cast<std::size_t>(net::kHttpSendsMax));
}

TYPED_TEST(ConnectorTest, AServerThatOnlyKnowsSseIsFoundOut) {
  this->teller_.instead = [](const wire::HttpRequest& request, net::HttpReply& reply) {
    if (request.method != "POST" || request.target != "/sse") return false;
    reply.respond(wire::HttpResponse{404, {}, "Cannot POST /sse"});
    return true;
  };
  ASSERT_TRUE(this->connect(std::nullopt, "/sse").ok());
  ASSERT_NO_FATAL_FAILURE(this->talk());
  EXPECT_EQ(this->teller_.told[0], "POST /sse");
  EXPECT_EQ(this->teller_.told[1], "GET /sse");
  EXPECT_TRUE(this->client_.lost.empty());
}

TYPED_TEST(ConnectorTest, AServerThatKnowsStreamableHttpIsLeftAtThat) {
  ASSERT_TRUE(this->connect(std::nullopt, "/mcp").ok());
  ASSERT_NO_FATAL_FAILURE(this->talk());
}

TYPED_TEST(ConnectorTest, ARefusalForAnotherReasonIsReported) {
  this->teller_.instead = [](const wire::HttpRequest&, net::HttpReply& reply) {
    reply.respond(wire::HttpResponse{401, {}, ""});
    return true;
  };
  ASSERT_TRUE(this->connect(std::nullopt, "/mcp").ok());
  this->client_.request(0, "initialize");
  ASSERT_TRUE(this->world_.run_until([&] { return this->client_.find_answer(0) != nullptr; }));
  EXPECT_EQ((*this->client_.find_answer(0))["error"]["message"], "HTTP 401 Unauthorized");
  EXPECT_EQ(this->teller_.told.size(), 1U);
}

TYPED_TEST(ConnectorTest, AnEndpointOfAnotherOriginIsRefused) {
  this->teller_.instead = [](const wire::HttpRequest&, net::HttpReply& reply) {
    reply.respond(wire::HttpResponse{200,
                                     {{"Content-Type", "text/event-stream"}},
                                     "event: endpoint\ndata: http://evil.example/steal\n\n"});
    return true;
  };
  ASSERT_TRUE(this->connect(Transport::kSse, "/sse").ok());
  this->client_.request(0, "initialize");
  ASSERT_TRUE(this->world_.run_until([&] { return this->client_.closed; }));
  EXPECT_EQ(this->client_.error->code, ErrorCode::kUnsupported);
  EXPECT_EQ(this->teller_.told.size(), 1U);
}

TYPED_TEST(ConnectorTest, AStreamThatEndsClosesTheChannel) {
  ASSERT_TRUE(this->connect(Transport::kSse, "/sse").ok());
  ASSERT_NO_FATAL_FAILURE(this->talk());
  this->server().channel->close();
  ASSERT_TRUE(this->world_.run_until([&] { return this->client_.closed; }));
  EXPECT_EQ(this->client_.error->code, ErrorCode::kDisconnected);
}

TYPED_TEST(ConnectorTest, AWebSocketIsSpokenAndClosedInOrder) {
  ASSERT_TRUE(this->connect(Transport::kWebSocket, "/ws").ok());
  ASSERT_NO_FATAL_FAILURE(this->talk());
  auto closing = this->connection_->close();
  closing.start();
  ASSERT_TRUE(this->world_.run_until([&] { return closing.done() && this->server().closed; }));
  EXPECT_FALSE(this->server().error);
  EXPECT_TRUE(this->client_.closed);
  EXPECT_FALSE(this->client_.error);
}

TYPED_TEST(ConnectorTest, AWebSocketThatTheServerClosesEndsInOrder) {
  ASSERT_TRUE(this->connect(Transport::kWebSocket, "/ws").ok());
  ASSERT_NO_FATAL_FAILURE(this->talk());
  this->server().channel->close_send();
  ASSERT_TRUE(
      this->world_.run_until([&] { return this->server().closed && this->client_.closed; }));
  EXPECT_FALSE(this->server().error);
  EXPECT_FALSE(this->client_.error);
}

TYPED_TEST(ConnectorTest, AWebSocketThatBreaksIsNoOrderlyEnd) {
  ASSERT_TRUE(this->connect(Transport::kWebSocket, "/ws").ok());
  ASSERT_NO_FATAL_FAILURE(this->talk());
  this->connection_.reset();
  ASSERT_TRUE(this->world_.run_until([&] { return this->server().closed; }));
  ASSERT_TRUE(this->server().error);
  EXPECT_EQ(this->server().error->code, ErrorCode::kDisconnected);
}

TYPED_TEST(ConnectorTest, AWebSocketIsNotOpenedForAStrangePage) {
  const std::unique_ptr<net::Pipe> pipe = this->dial();
  fakes::PipeLog log;
  pipe->start(log);
  pipe->write(
      "GET /ws HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n"
      "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Protocol: mcp\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n");
  ASSERT_TRUE(this->world_.run_until([&] { return !log.text.empty(); }));
  EXPECT_TRUE(log.text.starts_with("HTTP/1.1 403 ")) << log.text;
  EXPECT_TRUE(this->served_.empty());
}

TYPED_TEST(ConnectorTest, WhatIsNoWebSocketServerIsRefused) {
  EXPECT_EQ(this->connect(Transport::kWebSocket, "/mcp").error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(this->wait(this->connector_->connect("other")).error().code, ErrorCode::kInvalidInput);
}

// A peer of raw frames.
class RawFramesTest : public ConnectorTest<CutSimWorld> {
 protected:
  void open() {
    pipe_ = dial();
    pipe_->start(log_);
    pipe_->write(
        "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    ASSERT_TRUE(world_.run_until([&] { return !served_.empty(); }));
    world_.settle();
    log_.text.clear();
  }
  void send(wire::WebSocketOpcode opcode, std::string_view payload) {
    std::string frame;
    wire::append_ws_frame(frame, opcode, payload, wire::WebSocketMask{1, 2, 3, 4});
    pipe_->write(frame);
    world_.settle();
  }
  std::unique_ptr<net::Pipe> pipe_;
  fakes::PipeLog log_;
};

TEST_F(RawFramesTest, APingIsAnswered) {
  ASSERT_NO_FATAL_FAILURE(open());
  send(wire::WebSocketOpcode::kPing, "hi");
  EXPECT_EQ(log_.text, "\x8a\x02hi");
}

TEST_F(RawFramesTest, GarbageIsReportedAndPassed) {
  ASSERT_NO_FATAL_FAILURE(open());
  send(wire::WebSocketOpcode::kText, "no json");
  send(wire::WebSocketOpcode::kBinary, "{}");
  send(wire::WebSocketOpcode::kText, "{}");
  EXPECT_EQ(server().garbage, (std::vector<std::string>{"no json", "{}"}));
  EXPECT_EQ(server().messages.size(), 1U);
}

TEST_F(RawFramesTest, AMessageThatIsTooLongClosesTheWebSocket) {
  ASSERT_NO_FATAL_FAILURE(open());
  pipe_->write(std::string("\x81\xff\x00\x00\x00\x01\x00\x00\x00\x00mask", 14));
  ASSERT_TRUE(world_.run_until([&] { return log_.ended; }));
  EXPECT_EQ(log_.text.substr(0, 1), "\x88");
  EXPECT_EQ(log_.text.substr(2, 2), "\x03\xf1");  // 1009.
  world_.run_for(seconds(5));
  EXPECT_TRUE(server().closed);
  EXPECT_TRUE(server().error);
}

}  // namespace
}  // namespace plumbline::transports_test
