// What a status means, in one table: it is the same on every transport and at every moment, for the
// state of the connection, for whether a call is tried again, and for the words.

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/connector/agent_connector.h"
#include "core/mcp/transport/http_connector.h"
#include "core/mcp/transport/server/sse_server.h"
#include "core/mcp/transport/server/streamable_http_server.h"
#include "core/mcp/transport/server/websocket_server.h"
#include "core/mcp/transport/websocket_channel.h"
#include "core/net/http_router.h"
#include "core/wire/websocket.h"
#include "fakes/testing/pipe_log.h"
#include "tests/transports/channel_end.h"
#include "tests/transports/worlds.h"

namespace plumbline::transports_test {
namespace {

using connector::ConnectionState;
using mcp::FailureClass;
using mcp::Transport;

// Moment is which request is refused.
enum class Moment {
  kOpening,     // The first one: initialize, the GET of the stream, the upgrade.
  kReopening,   // The same, once a connection was lost.
  kMidSession,  // A POST of an open session. A WebSocket has none.
};
constexpr std::array kMoments = {Moment::kOpening, Moment::kReopening, Moment::kMidSession};
constexpr std::array kMomentNames = {"opening", "reopening", "mid-session"};

struct Way {
  Transport transport;
  const char* path;
};
constexpr std::array kWays = {Way{Transport::kStreamableHttp, "/mcp"}, Way{Transport::kSse, "/sse"},
                              Way{Transport::kWebSocket, "/ws"}};

struct Row {
  int status;
  FailureClass meaning;
  bool retried;
  const char* words;
};
constexpr std::array kRows = {
    Row{400, FailureClass::kInvalidRequest, false, "HTTP 400 Bad Request"},
    Row{401, FailureClass::kAuthentication, false, "HTTP 401 Unauthorized"},
    Row{403, FailureClass::kAuthorization, false, "HTTP 403 Forbidden"},
    Row{404, FailureClass::kInvalidRequest, false, "HTTP 404 Not Found"},  // But mid-session.
    Row{407, FailureClass::kAuthentication, false, "HTTP 407 Proxy Authentication Required"},
    Row{429, FailureClass::kRateLimit, true, "HTTP 429 Too Many Requests"},
    Row{500, FailureClass::kNetwork, true, "HTTP 500 Internal Server Error"},
    Row{503, FailureClass::kNetwork, true, "HTTP 503 Service Unavailable"},
};

// Gate refuses what it is told to, and counts.
struct Gate final : net::HttpHandler {
  void on_request(wire::HttpRequest request, net::HttpReply reply) override {
    const bool opens = request.method == "GET" || request.body.find("initialize") != npos;
    const bool hit = request.method != "DELETE" && (opens ? openings : posts);
    if (status == 0 || !hit) return router.on_request(std::move(request), std::move(reply));
    ++refused;
    wire::HttpResponse answer{status, {{"Content-Type", "text/plain"}}, "thus says the server"};
    answer.headers.set("WWW-Authenticate", "Bearer scope=\"all\"");
    if (status == 429 || status == 503) answer.headers.set("Retry-After", "0");
    reply.respond(std::move(answer));
  }

  static constexpr std::size_t npos = std::string::npos;
  int status = 0;  // Zero: it refuses nothing.
  bool openings = false;
  bool posts = false;
  int refused = 0;
  net::HttpRouter router;
};

template <typename World>
class RefusalTableTest : public WorldTest<World> {
 protected:
  void SetUp() override {
    transport::SseServerOptions sse;
    sse.new_session_id = [this] { return "s" + std::to_string(++ids_); };
    transport::StreamableHttpServerOptions streamable;
    streamable.stateful_versions = {"2025-11-25"};
    streamable.new_session_id = sse.new_session_id;
    Loop& loop = this->world_.loop;
    sse_ = std::make_unique<transport::SseServer>(loop, sse, taker());
    streamable_ = std::make_unique<transport::StreamableHttpServer>(loop, streamable, taker());
    ws_ = std::make_unique<transport::WebSocketServer>(loop, taker());
    gate_.router.add("/sse", *sse_);
    gate_.router.add("/messages", *sse_);
    gate_.router.add("/mcp", *streamable_);
    gate_.router.add("/ws", *ws_);
    http_ = std::make_unique<net::HttpServer>(loop, gate_, net::HttpAccess());
    this->listen([this](auto pipe) { http_->accept(std::move(pipe)); });
  }

  void TearDown() override {
    made_.reset();
    served_.clear();
  }

  // taker serves whoever comes: initialize, and anything else with an empty result.
  transport::SseServer::OnChannel taker() {
    return [this](auto channel, const std::string& /*principal*/) {
      served_.push_back(std::make_unique<ChannelEnd>());
      ChannelEnd* const end = served_.back().get();
      end->act = [end](const Json& message) {
        if (!message.contains("id")) return;
        Json result = {{"content", Json::array()}};
        if (message["method"] == "initialize") {
          result = {{"protocolVersion", "2025-11-25"},
                    {"capabilities", {{"tools", Json::object()}}}};
          result["serverInfo"] = {{"name", "it"}, {"version", "1"}};
        }
        end->answer(message["id"], std::move(result));
      };
      end->take(std::move(channel));
    };
  }

  void connect(const Way& way) {
    made_.reset();
    served_.clear();
    states_.clear();
    transport::HttpEndpoint endpoint{way.transport, this->url(way.path), {}, {}};
    door_ = std::make_unique<transport::HttpConnector>(
        this->world_.loop, this->world_.network,
        std::map<std::string, transport::HttpEndpoint>{{"it", endpoint}},
        [](std::size_t count) { return std::string(count, 'r'); });
    connector::ConnectorOptions options;
    for (const auto category :
         {connector::ErrorCategory::kNetwork, connector::ErrorCategory::kAgentUnavailable,
          connector::ErrorCategory::kRateLimit}) {
      connector::ErrorHandlingStrategy& strategy = options.retries.of(category);
      strategy.retries_max = 1;
      strategy.waits = {.first = std::chrono::milliseconds(1)};
    }
    made_ = std::make_unique<connector::AgentConnector>(
        this->world_.loop, [this](const std::string&) -> transport::Connector& { return *door_; },
        options, redactor_, nullptr);
    made_->on_state([this](const connector::PoolKey&, const connector::StateChange& change) {
      states_.push_back(change.to);
    });
    made_->add({"it", {}, {}, {}});
  }

  mcp::Reply<Json> call() {
    connector::AgentConnector::Call call;
    call.request.server = "it";
    call.request.method = "tools/call";
    call.request.params = {{"name", "x"}};
    call.may_repeat = true;
    call.time_max = std::chrono::seconds(20);
    return this->wait(made_->call(std::move(call)));
  }

  // arrive comes to the moment at which the status is met.
  void arrive(Moment moment) {
    if (moment != Moment::kOpening) {
      ASSERT_TRUE(call().ok());
    }
    if (moment == Moment::kReopening) this->wait(hang_up(*made_));
    states_.clear();
    gate_.refused = 0;
  }

  static Task<int> hang_up(connector::AgentConnector& made) {
    connector::PoolKey key{"it", ""};
    co_await made.hang_up(std::move(key), "lost");
    co_return 0;
  }

  bool entered(ConnectionState state) const {
    return std::ranges::find(states_, state) != states_.end();
  }

  void expect(const Way& way, Moment moment, const Row& row) {
    connect(way);
    gate_.status = 0;
    ASSERT_NO_FATAL_FAILURE(arrive(moment));
    gate_.status = row.status;
    gate_.posts = moment == Moment::kMidSession;
    gate_.openings = !gate_.posts;
    const mcp::Reply<Json> reply = call();
    const bool retried = made_->status("it")->stats.retries > 0;
    ASSERT_FALSE(reply.ok());
    const std::string told = describe(reply.error());
    const bool gone = row.status == 404 && moment == Moment::kMidSession;
    if (gone) {  // The session is over: another one is opened, and says the same.
      EXPECT_GT(gate_.refused, 1);
      return;
    }
    EXPECT_EQ(name_of(classify(reply.error())), name_of(row.meaning)) << told;
    EXPECT_EQ(retried, row.retried) << told;
    EXPECT_NE(told.find(row.words), std::string::npos) << told;
    EXPECT_NE(told.find("thus says the server"), std::string::npos) << told;
    EXPECT_EQ(gate_.refused > 1, row.retried);
    const bool about_who =
        connector::category_of(row.meaning) == connector::ErrorCategory::kAuthentication;
    if (moment != Moment::kMidSession) {
      EXPECT_EQ(entered(ConnectionState::kAuthenticating), about_who);
      EXPECT_EQ(made_->status("it")->state, ConnectionState::kError);
    } else {
      const bool asks_who = row.meaning == FailureClass::kAuthentication;
      EXPECT_EQ(entered(ConnectionState::kAuthenticating), asks_who);
    }
    const bool asks_to_wait = row.status == 429 || row.status == 503;
    EXPECT_EQ(mcp::retry_after_ms(reply.error()).has_value(), asks_to_wait);
  }

  int ids_ = 0;
  Redactor redactor_;
  Gate gate_;
  std::unique_ptr<transport::SseServer> sse_;
  std::unique_ptr<transport::StreamableHttpServer> streamable_;
  std::unique_ptr<transport::WebSocketServer> ws_;
  std::unique_ptr<net::HttpServer> http_;
  std::vector<std::unique_ptr<ChannelEnd>> served_;
  std::unique_ptr<transport::HttpConnector> door_;
  std::unique_ptr<connector::AgentConnector> made_;
  std::vector<ConnectionState> states_;
};

using TableWorlds = testing::Types<WholeSimWorld, SocketWorld>;
TYPED_TEST_SUITE(RefusalTableTest, TableWorlds);

TYPED_TEST(RefusalTableTest, AStatusMeansTheSameOnEveryTransportAndAtEveryMoment) {
  for (const Way& way : kWays) {
    for (const Moment moment : kMoments) {
      if (moment == Moment::kMidSession && way.transport == Transport::kWebSocket) continue;
      for (const Row& row : kRows) {
        SCOPED_TRACE(std::string(way.path) + " " + kMomentNames[static_cast<std::size_t>(moment)] +
                     " " + std::to_string(row.status));
        this->expect(way, moment, row);
      }
    }
  }
}

// One that lets in again is ready again, without another connection.
TYPED_TEST(RefusalTableTest, WhoIsTakenAgainIsConnectedAgain) {
  for (const Way& way : {kWays[0], kWays[1]}) {
    this->connect(way);
    this->gate_.status = 0;
    ASSERT_NO_FATAL_FAILURE(this->arrive(Moment::kMidSession));
    this->gate_.status = 401;
    this->gate_.posts = true;
    EXPECT_FALSE(this->call().ok());
    this->gate_.status = 0;
    EXPECT_TRUE(this->call().ok());
    EXPECT_EQ(this->states_, (std::vector<ConnectionState>{ConnectionState::kAuthenticating,
                                                           ConnectionState::kConnected}));
    EXPECT_EQ(this->made_->status("it")->stats.openings, 1);
  }
}

// A WebSocket has close codes in the middle of a session, where others have statuses.
class ClosedWebSocketTest : public WorldTest<CutSimWorld> {
 protected:
  // close_with answers a request by closing, and returns the error that it got; null: none.
  Json close_with(int code) {
    std::unique_ptr<net::Pipe> server;
    listen([&server](auto pipe) { server = std::move(pipe); });
    ChannelEnd client(std::make_unique<transport::WebSocketChannel>(
        world_.loop, dial(), wire::WebSocketRole::kClient,
        [](std::size_t count) { return std::string(count, 'r'); }));
    check(world_.run_until([&server] { return server != nullptr; }), "nobody comes");
    fakes::PipeLog log;
    server->start(log);
    client.request(1, "ping");
    client.request(2, "tools/call");
    std::string frames;
    wire::append_ws_frame(frames, wire::WebSocketOpcode::kText,
                          R"({"jsonrpc":"2.0","id":1,"result":{}})", std::nullopt);
    wire::append_ws_close(frames, code, "say who you are", std::nullopt);
    server->write(frames);
    check(world_.run_until([&client] { return client.closed; }), "it is not closed");
    EXPECT_TRUE(client.error || code == 1000);
    EXPECT_TRUE(client.find_answer(1)->contains("result"));
    const Json* const answer = client.find_answer(2);
    return answer == nullptr ? Json() : (*answer)["error"];
  }
};

TEST_F(ClosedWebSocketTest, ACodeThatSaysWhatAStatusDoesIsTheAnswer) {
  EXPECT_EQ(close_with(3000)["code"], 401);
  EXPECT_EQ(close_with(3003)["data"]["httpStatus"], 403);
  EXPECT_EQ(close_with(1013)["code"], 503);
  EXPECT_EQ(close_with(3000)["message"], "the peer closed with code 3000 say who you are");
  for (const int other : {1000, 1008, 1011, 3001, 4000}) EXPECT_TRUE(close_with(other).is_null());
}

}  // namespace
}  // namespace plumbline::transports_test
