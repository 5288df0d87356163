// What the callers of a server take of it: counted, bounded for each of them and for all, and back
// at nothing when every conversation is over. Each charge is refused once, in words.

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/limits.h"
#include "core/json/value_bytes.h"
#include "core/mcp/transport/server/sse_server.h"
#include "core/mcp/transport/server/streamable_http_server.h"
#include "core/mcp/transport/server/websocket_server.h"
#include "core/mcp/transport/stdio_channel.h"
#include "core/net/http_client.h"
#include "core/net/http_router.h"
#include "core/net/http_server.h"
#include "core/wire/websocket.h"
#include "fakes/testing/pipe_log.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"
#include "fakes/world/sim_pipe.h"

namespace plumbline::transports_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// HoldingReceiver takes what comes and answers when it is told to.
struct Holding final : transport::MessageReceiver {
  explicit Holding(std::unique_ptr<transport::MessageChannel> taken) : channel(std::move(taken)) {
    channel->start(*this);
  }
  void on_message(Json message) override {
    if (string_or(message, "method", "") == "initialize") {
      return channel->send({{"jsonrpc", "2.0"},
                            {"id", message["id"]},
                            {"result", {{"protocolVersion", "2025-11-25"}}}});
    }
    if (message.contains("id")) asked.push_back(message["id"]);
  }
  void on_garbage(std::string_view, const Error&) override {}
  void on_closed(const Error*) override { closed = true; }
  void answer_all() {
    for (const Json& id : std::exchange(asked, {})) {
      channel->send({{"jsonrpc", "2.0"}, {"id", id}, {"result", "done"}});
    }
  }

  std::unique_ptr<transport::MessageChannel> channel;
  std::vector<Json> asked;
  bool closed = false;
};

Amounts some_of_all() {
  return net::most_of_all().set(Resource::kTextBytes, 400'000).set(Resource::kValueBytes, 400'000);
}
Amounts some_of_each() {
  return net::most_of_each().set(Resource::kTextBytes, 200'000).set(Resource::kValueBytes, 200'000);
}

// World is a server that can be reached over three transports, whose callers are told apart by what
// a proxy says of them.
class World {
 public:
  World()
      : streamable_(loop, streamable_options(),
                    [this](auto channel, const std::string&) { take(std::move(channel)); }),
        sse_(loop, sse_options(),
             [this](auto channel, const std::string&) { take(std::move(channel)); }),
        web_socket_(loop, [this](auto channel, const std::string&) { take(std::move(channel)); }) {
    router_.add("/mcp", streamable_);
    router_.add("/sse", sse_);
    router_.add("/messages", sse_);
    router_.add("/ws", web_socket_);
    net::HttpServerOptions options;
    options.all = some_of_all();
    options.each = some_of_each();
    options.proxies = {""};  // A simulated connection has no address.
    http.emplace(loop, router_, net::HttpAccess::anybody(), options);
    listener_ =
        network
            .listen({"h", 80}, std::nullopt, [this](auto pipe) { http->accept(std::move(pipe)); })
            .value();
  }

  Guests& guests() { return http->callers(); }
  std::uint64_t taken(Resource resource) { return guests().taken(resource); }

  std::unique_ptr<net::Pipe> dial() {
    Task<Result<std::unique_ptr<net::Pipe>>> dialling = network.dial({"h", 80}, std::nullopt);
    check(loop.run_task(dialling).ok(), "nobody listens");
    return std::move(dialling.result()).value();
  }
  void run_for(Duration span) {
    check(loop.run_until_idle(limits::kTurnsMax, after(loop.now(), span)).ok(), "a restless world");
  }

  static std::string post(const std::string& who, const std::string& path, const std::string& body,
                          const std::string& more = "") {
    return "POST " + path + " HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: " + who +
           "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
           more + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }

  // over tells that every conversation is over: clients go, and the server lets go of them.
  void over() {
    for (const auto& held : conversations) held->channel->close_send();
    run_for(seconds(5));
    conversations.clear();
    run_for(seconds(70));
  }

  fakes::SimLoop loop;
  fakes::SimNetwork network{loop, {std::chrono::microseconds(100), milliseconds(1)}, Rng(1)};
  std::vector<std::unique_ptr<Holding>> conversations;

 private:
  void take(std::unique_ptr<transport::MessageChannel> channel) {
    conversations.push_back(std::make_unique<Holding>(std::move(channel)));
  }
  transport::StreamableHttpServerOptions streamable_options() {
    transport::StreamableHttpServerOptions options;
    options.stateful_versions = {"2025-11-25"};
    options.new_session_id = [this] { return "s" + std::to_string(++sessions_); };
    return options;
  }
  transport::SseServerOptions sse_options() {
    transport::SseServerOptions options;
    options.new_session_id = [this] { return "e" + std::to_string(++sessions_); };
    return options;
  }

  int sessions_ = 0;
  transport::StreamableHttpServer streamable_;
  transport::SseServer sse_;
  transport::WebSocketServer web_socket_;
  net::HttpRouter router_;

 public:
  std::optional<net::HttpServer> http;

 private:
  std::unique_ptr<net::Listener> listener_;
};

std::string initialize() { return R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{}})"; }

// call is a request whose value takes some 50 bytes for each of `size` lists.
std::string call(int id, int size) {
  std::string lists = "[]";
  for (int i = 1; i < size; ++i) lists += ",[]";
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
         R"(,"method":"tools/call","params":{"name":"t","arguments":{"a":[)" + lists + "]}}}";
}

// Client is one connection, and what was said on it.
struct Client {
  explicit Client(World& world) : pipe(world.dial()) { pipe->start(log); }
  std::string said() { return std::exchange(log.text, ""); }

  std::unique_ptr<net::Pipe> pipe;
  fakes::PipeLog log;
};

TEST(BudgetTest, AValueIsChargedForUntilItsRequestIsAnswered) {
  World world;
  Client client(world);
  client.pipe->write(World::post("192.0.2.1", "/mcp", initialize()));
  world.run_for(seconds(1));
  EXPECT_EQ(world.taken(Resource::kValueBytes), 0U);
  const std::string text = call(1, 1'000);
  client.pipe->write(World::post("192.0.2.1", "/mcp", text, "Mcp-Session-Id: s1\r\n"));
  world.run_for(seconds(1));
  EXPECT_EQ(world.taken(Resource::kValueBytes), value_bytes_of_text(text));
  world.conversations.at(0)->answer_all();
  world.run_for(seconds(1));
  EXPECT_EQ(world.taken(Resource::kValueBytes), 0U);
}

TEST(BudgetTest, WhoHasTakenItsShareIsRefusedInWordsAndOthersAreServed) {
  World world;
  std::vector<std::unique_ptr<Client>> flood;
  flood.push_back(std::make_unique<Client>(world));
  flood.back()->pipe->write(World::post("192.0.2.1", "/mcp", initialize()));
  world.run_for(seconds(1));
  int refused = 0;
  for (int i = 1; i <= 8; ++i) {
    flood.push_back(std::make_unique<Client>(world));
    flood.back()->pipe->write(
        World::post("192.0.2.1", "/mcp", call(i, 800), "Mcp-Session-Id: s1\r\n"));
    world.run_for(seconds(1));
    const std::string said = flood.back()->said();
    if (said.empty()) continue;
    ++refused;
    EXPECT_TRUE(said.starts_with("HTTP/1.1 429 ")) << said;
    EXPECT_NE(said.find("-32000"), std::string::npos) << said;
    EXPECT_NE(said.find("bytes of values"), std::string::npos) << said;
  }
  EXPECT_GE(refused, 4);
  EXPECT_LE(world.taken(Resource::kValueBytes), 200'000U);
  Client other(world);
  other.pipe->write(World::post("192.0.2.2", "/mcp", initialize()));
  world.run_for(seconds(1));
  EXPECT_TRUE(other.said().starts_with("HTTP/1.1 200 "));
}

TEST(BudgetTest, AValueThatNobodyGetsIsRefusedUnread) {
  World world;
  Client client(world);
  client.pipe->write(World::post("192.0.2.1", "/mcp", call(1, 5'000)));
  world.run_for(seconds(1));
  EXPECT_TRUE(client.said().starts_with("HTTP/1.1 413 "));
}

// An upgraded connection stays charged for, and so do the fragments of a message without end.
TEST(BudgetTest, FragmentsThatAreNeverFinishedEndTheirWebSockets) {
  World world;
  std::vector<std::unique_ptr<Client>> clients;
  std::size_t closed = 0;
  const std::string part(20'000, ' ');
  for (int i = 0; i < 40; ++i) {
    clients.push_back(std::make_unique<Client>(world));
    clients.back()->pipe->write(
        "GET /ws HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 192.0.2.1\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mcp\r\n\r\n");
    world.run_for(milliseconds(100));
    std::string frame;
    wire::append_ws_frame(frame, wire::WebSocketOpcode::kText, part, wire::WebSocketMask{}, false);
    clients.back()->pipe->write(frame);
    world.run_for(milliseconds(100));
    const std::string said = clients.back()->said();
    std::string close;
    wire::append_ws_close(close, 1013, "", std::nullopt);
    if (said.find(close.substr(2)) != std::string::npos) ++closed;
    EXPECT_LE(world.taken(Resource::kTextBytes), 200'000U);
  }
  EXPECT_GE(closed, 30U);
  EXPECT_GE(world.taken(Resource::kConnections), 1U);
  clients.clear();
  world.over();
  EXPECT_EQ(world.taken(Resource::kConnections), 0U);
  EXPECT_EQ(world.taken(Resource::kTextBytes), 0U);
}

TEST(BudgetTest, AStdioLineWhoseValueIsTooLargeIsAnsweredInWords) {
  fakes::SimLoop loop;
  fakes::SimPipePair ends = fakes::make_sim_pipe(loop, {}, Rng(1));
  Guests guests(some_of_all(), some_of_each());
  Holding server(std::make_unique<transport::StdioChannel>(*ends.far, limits::kMessageBytesMax,
                                                           guests.of("")));
  fakes::PipeLog log;
  ends.near->start(log);
  ends.near->write(call(1, 5'000) + "\n" + call(2, 10) + "\n");
  ASSERT_TRUE(loop.run_until_idle(limits::kTurnsMax, kNever).ok());
  EXPECT_NE(log.text.find("-32000"), std::string::npos) << log.text;
  EXPECT_EQ(server.asked.size(), 1U) << "the next line is served";
  EXPECT_GT(guests.taken(Resource::kValueBytes), 0U);
  server.answer_all();
  EXPECT_EQ(guests.taken(Resource::kValueBytes), 0U);
}

// Of one peer that asks for much and reads nothing, no more is made than it may have waiting.
TEST(BudgetTest, AnswersThatNobodyReadsAreNotMade) {
  struct Large final : net::HttpHandler {
    void on_request(wire::HttpRequest, net::HttpReply reply) override {
      ++made;
      reply.respond({200, {}, std::string(100'000, 'x')});
    }
    int made = 0;
  } handler;
  fakes::SimLoop loop;
  net::HttpServer server(loop, handler, net::HttpAccess::anybody());
  fakes::SimPipePair ends = fakes::make_sim_pipe(loop, {}, Rng(1));
  server.accept(std::move(ends.far));
  std::string gets;
  for (int i = 0; i < 40; ++i) gets += "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
  ends.near->write(gets);  // And does not start() to read.
  ASSERT_TRUE(loop.run_until_idle(limits::kTurnsMax, after(loop.now(), seconds(30))).ok());
  EXPECT_EQ(handler.made, 1);
  fakes::PipeLog log;
  ends.near->start(log);
  ASSERT_TRUE(loop.run_until_idle(limits::kTurnsMax, after(loop.now(), seconds(30))).ok());
  EXPECT_EQ(handler.made, 40);
}

// converse is a conversation over each transport, of which some may be refused. Returns what was
// said to the client.
std::string converse(World& world, const std::string& who) {
  Client http(world);
  http.pipe->write(World::post(who, "/mcp", initialize()));
  world.run_for(seconds(1));
  std::string said = http.said();
  const std::size_t id = said.find("mcp-session-id: ") == std::string::npos
                             ? said.find("Mcp-Session-Id: ")
                             : said.find("mcp-session-id: ");
  if (id != std::string::npos) {
    const std::string session = said.substr(id + 16, said.find('\r', id) - id - 16);
    http.pipe->write(World::post(who, "/mcp", call(1, 100), "Mcp-Session-Id: " + session + "\r\n"));
    world.run_for(seconds(1));
    for (const auto& held : world.conversations) held->answer_all();
    world.run_for(seconds(1));
    said += http.said();
  }
  Client events(world);
  events.pipe->write("GET /sse HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: " + who +
                     "\r\nAccept: text/event-stream\r\n\r\n");
  world.run_for(seconds(1));
  said += events.said();
  Client socket(world);
  socket.pipe->write("GET /ws HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: " + who +
                     "\r\nUpgrade: websocket\r\n"
                     "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                     "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mcp\r\n\r\n");
  world.run_for(seconds(1));
  std::string frame;
  wire::append_ws_frame(frame, wire::WebSocketOpcode::kText, call(7, 50), wire::WebSocketMask{});
  socket.pipe->write(frame);
  world.run_for(seconds(1));
  for (const auto& held : world.conversations) held->answer_all();
  world.run_for(seconds(1));
  return said + socket.said() + (socket.log.ended ? " ended" : "");
}

TEST(BudgetTest, EachChargeMayFailAndNothingLeaksAndTheNextIsServed) {
  std::uint64_t charges = 0;
  std::string whole;
  {
    World world;
    whole = converse(world, "192.0.2.1");
    charges = world.guests().charges();
  }
  ASSERT_GT(charges, 10U);
  for (std::uint64_t charge = 1; charge <= charges; ++charge) {
    World world;
    world.guests().refuse_at(charge);
    const std::string said = converse(world, "192.0.2.1");
    if (world.guests().charges() >= charge) {
      EXPECT_TRUE(said != whole || said.find("done") != std::string::npos) << charge;
    }
    world.guests().refuse_at(0);
    const std::string other = converse(world, "192.0.2.2");
    EXPECT_EQ(other.find("HTTP/1.1 4"), std::string::npos) << "charge " << charge << ": " << other;
    EXPECT_EQ(other.find("HTTP/1.1 5"), std::string::npos) << "charge " << charge << ": " << other;
    EXPECT_NE(other.find("done"), std::string::npos) << charge;
    world.over();
    for (const Resource resource : {Resource::kConnections, Resource::kTextBytes,
                                    Resource::kValueBytes, Resource::kThreads}) {
      EXPECT_EQ(world.taken(resource), 0U) << "charge " << charge << ": " << name_of(resource);
    }
  }
}

}  // namespace
}  // namespace plumbline::transports_test
