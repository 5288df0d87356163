// Peers that send without end, and streams cut anywhere: what arrives is bounded, and the same.

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/mcp/transport/sse_client_channel.h"
#include "core/wire/sse.h"
#include "fakes/testing/pipe_log.h"
#include "tests/transports/http_fixture.h"
#include "tests/transports/streamable_fixture.h"

namespace plumbline::transports_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t kSlack = 4U << 20U;  // Of bytes on their way when a limit is met.

// Flood answers any request with `head`, and then sends `piece` until its peer is gone.
struct Flood final : net::PipeReader {
  Flood(Loop& on, std::unique_ptr<net::Pipe> to, const std::string& head, std::string more)
      : loop(on), pipe(std::move(to)), start(head), piece(std::move(more)) {
    pipe->start(*this);
  }
  void on_bytes(std::string_view) override {
    if (sent == 0) say(start);
  }
  void on_end(const Error*) override { gone = true; }
  void say(const std::string& bytes) {
    sent += bytes.size();
    pipe->write(bytes);
    if (!piece.empty()) loop.arm(next, loop.now() + std::chrono::microseconds(500));
  }

  Loop& loop;
  std::unique_ptr<net::Pipe> pipe;
  std::string start;
  std::string piece;
  std::size_t sent = 0;
  bool gone = false;
  Alarm next{[this] {
    if (!gone) say(piece);
  }};
};

class FloodedClientTest : public WorldTest<WholeSimWorld> {
 protected:
  // flood makes the server; call() is what a client says to it.
  void flood(const std::string& head, const std::string& piece) {
    listen([this, head, piece](auto pipe) {
      floods_.push_back(std::make_unique<Flood>(world_.loop, std::move(pipe), head, piece));
    });
    client_.take(std::make_unique<transport::StreamableHttpClient>(http_, url("/mcp")));
    client_.channel->send(
        {{"jsonrpc", "2.0"}, {"id", 1}, {"method", "tools/list"}, {"params", {{"_meta", meta()}}}});
    ASSERT_TRUE(world_.run_until([&] { return !client_.lost.empty(); }));
    world_.settle();
    EXPECT_TRUE(floods_.at(0)->gone);
    EXPECT_LE(floods_.at(0)->sent, limits::kMessageBytesMax + kSlack);
    EXPECT_EQ(client_.lost.size(), 1U);
    EXPECT_FALSE(client_.closed);
  }
  void TearDown() override { client_.owned.reset(); }

  std::vector<std::unique_ptr<Flood>> floods_;
  net::HttpClient http_{world_.loop, world_.network};
  ChannelEnd client_;
};

const std::string kMuch(256U << 10U, 'x');
const std::string kChunk = "40000\r\n" + kMuch + "\r\n";

TEST_F(FloodedClientTest, AnEndlessHeadIsRefused) {
  flood("HTTP/1.1 200 OK\r\n", "X: " + std::string(1'000, 'x') + "\r\n");
}

TEST_F(FloodedClientTest, AnEndlessBodyIsRefused) {
  flood("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
        kChunk);
}

TEST_F(FloodedClientTest, ABodyOfAGigabyteIsRefused) {
  flood("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n",
        kMuch);
}

TEST_F(FloodedClientTest, AnEndlessEventIsRefused) {
  flood("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
        kChunk);
}

TEST_F(FloodedClientTest, AnEventOfEndlessLinesIsRefused) {
  std::string lines;
  while (lines.size() < 0x8000) lines += "data: 12345678\n";
  lines.resize(0x8000, 'x');
  flood("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
        "8000\r\n" + lines + "\r\n");
}

TEST_F(FloodedClientTest, AnAnswerThatIsNestedTooDeepIsNoMessage) {
  const std::string body = std::string(10'000, '[') + std::string(10'000, ']');
  flood(
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
      "Content-Length: 20000\r\n\r\n" +
          body,
      kMuch);
  EXPECT_EQ(client_.garbage.size(), 1U);
}

// PingingServer streams pings as the answer to the first request, and answers no other.
class PingedClientTest : public WorldTest<WholeSimWorld> {
 protected:
  void SetUp() override {
    handler_.act = [this](HttpRequest, net::HttpReply reply) {
      if (stream_.open()) return waiting_.push_back(std::move(reply));
      stream_ = std::move(reply);
      stream_.open_stream(200, {{"Content-Type", "text/event-stream"}});
      stream_.write(first_);
      ping();
    };
    listen([this](auto pipe) { server_.accept(std::move(pipe)); });
  }
  void TearDown() override { client_.owned.reset(); }

  void ping() {
    std::string pings;
    for (int i = 0; i < 5; ++i) {
      const Json id = std::string(id_bytes_, 'p') + std::to_string(++pings_);
      const Json message = {{"jsonrpc", "2.0"}, {"id", id}, {"method", "ping"}};
      wire::append_sse(pings, {"message", dump_json(message), std::nullopt, std::nullopt});
    }
    stream_.write(pings);
    if (stream_.open()) world_.loop.arm(next_, world_.loop.now() + milliseconds(1));
  }

  // flooded lets the client answer every ping, and returns how its channel ends.
  std::optional<Error> flooded(std::unique_ptr<transport::MessageChannel> channel) {
    client_.act = [this](const Json& message) {
      if (!client_.closed && message.contains("method")) client_.answer(message["id"], "pong");
    };
    client_.take(std::move(channel));
    client_.request(0, "initialize");
    EXPECT_TRUE(world_.run_until([&] { return client_.closed || pings_ > 10'000; }));
    EXPECT_TRUE(client_.closed);
    return client_.error;
  }

  EchoHandler handler_;
  net::HttpServer server_{world_.loop, handler_, net::HttpAccess::anybody()};
  std::string first_;
  net::HttpReply stream_;
  std::vector<net::HttpReply> waiting_;
  std::size_t id_bytes_ = 0;
  int pings_ = 0;
  Alarm next_{[this] { ping(); }};
  net::HttpClient http_{world_.loop, world_.network};
  ChannelEnd client_;
};

TEST_F(PingedClientTest, AnswersThatNobodyTakesEndAStreamableChannel) {
  const auto error = flooded(std::make_unique<transport::StreamableHttpClient>(http_, url("/mcp")));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, ErrorCode::kLimitReached) << error->message;
}

TEST_F(PingedClientTest, AnswersThatNobodyTakesEndAnSseChannelBeforeItsEndpoint) {
  const auto error =
      flooded(std::make_unique<transport::SseClientChannel>(http_, url("/"), wire::HttpHeaders()));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, ErrorCode::kLimitReached) << error->message;
}

TEST_F(PingedClientTest, AnswersThatNobodyTakesEndAnSseChannel) {
  first_ = "event: endpoint\ndata: /post\n\n";
  const auto error =
      flooded(std::make_unique<transport::SseClientChannel>(http_, url("/"), wire::HttpHeaders()));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, ErrorCode::kLimitReached) << error->message;
}

TEST_F(PingedClientTest, LargeAnswersThatNobodyTakesEndItSooner) {
  first_ = "event: endpoint\ndata: /post\n\n";
  id_bytes_ = 1U << 20U;
  const auto error =
      flooded(std::make_unique<transport::SseClientChannel>(http_, url("/"), wire::HttpHeaders()));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, ErrorCode::kLimitReached) << error->message;
  EXPECT_LE(pings_, 200);
}

class FloodedServerTest : public HttpTest<WholeSimWorld> {};

TEST_F(FloodedServerTest, AnEndlessChunkedBodyIsRefused) {
  const std::unique_ptr<net::Pipe> pipe = dial();
  fakes::PipeLog log;
  pipe->start(log);
  pipe->write("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
  std::size_t sent = 0;
  while (log.text.empty() && sent < limits::kMessageBytesMax * 3) {
    pipe->write(kChunk);
    sent += kChunk.size();
    world_.run_for(milliseconds(1));
  }
  EXPECT_TRUE(log.text.starts_with("HTTP/1.1 413 ")) << log.text;
  EXPECT_LE(sent, limits::kMessageBytesMax + kSlack);
  EXPECT_EQ(handler_.requests, 0);
}

TEST_F(FloodedServerTest, RequestsWithoutEndBehindOneThatWaitsAreRefused) {
  net::HttpReply open;
  handler_.act = [&](HttpRequest, net::HttpReply reply) { open = std::move(reply); };
  const std::unique_ptr<net::Pipe> pipe = dial();
  fakes::PipeLog log;
  pipe->start(log);
  std::string requests;
  while (requests.size() < 200'000) requests += "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  for (int i = 0; i < 1'000 && !log.ended; ++i) {
    pipe->write(requests);
    world_.run_for(milliseconds(1));
    if (!open.open()) break;
  }
  open.respond(HttpResponse{200, {}, "late"});
  world_.run_for(seconds(5));
  EXPECT_TRUE(log.ended);
  EXPECT_LE(handler_.requests, 2);
}

TEST_F(FloodedServerTest, OfTooManyBytesOverAllConnectionsTheLargestRequestIsRefused) {
  net::HttpServerOptions options;
  options.all.set(Resource::kTextBytes, 100'000);
  restart_server(options);
  handler_.act = [](const HttpRequest&, net::HttpReply reply) {
    reply.respond(HttpResponse{200, {}, "fine"});
  };
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 90000\r\n\r\n";
  std::vector<std::unique_ptr<net::Pipe>> pipes;
  std::vector<std::unique_ptr<fakes::PipeLog>> logs;
  for (const std::size_t bytes : {20'000U, 50'000U, 25'000U}) {
    pipes.push_back(dial());
    logs.push_back(std::make_unique<fakes::PipeLog>());
    pipes.back()->start(*logs.back());
    pipes.back()->write(head + std::string(bytes, 'x'));
    world_.run_for(milliseconds(10));
  }
  EXPECT_EQ(logs[0]->text, "");
  EXPECT_EQ(logs[1]->text, "");
  pipes[0]->write(std::string(10'000, 'x'));
  world_.run_for(milliseconds(10));
  EXPECT_TRUE(logs[1]->text.starts_with("HTTP/1.1 503 ")) << logs[1]->text;
  EXPECT_EQ(fetch(request("POST", std::string(60'000, 'y'))).value().status, 200) << "it is whole";
  pipes[0]->write(std::string(60'000, 'x'));
  world_.run_for(milliseconds(10));
  EXPECT_TRUE(logs[0]->text.starts_with("HTTP/1.1 200 ")) << logs[0]->text;
  EXPECT_EQ(fetch(request("POST", std::string(60'000, 'y'))).value().status, 200);
}

// talk sends every text there and back through a session of Streamable HTTP, as an argument, as a
// progress message and as a result, and returns what the client heard.
std::vector<std::string> talk(std::uint64_t seed, fakes::Fragments fragments,
                              const std::vector<std::string>& texts) {
  fakes::SimLoop loop(fakes::Order::kPermuted, Rng(seed));
  const fakes::PipeOptions pipes{std::chrono::microseconds(10), milliseconds(2), fragments};
  fakes::SimNetwork network(loop, pipes, Rng(seed));
  transport::StreamableHttpServerOptions options;
  options.stateful_versions = {"2025-11-25"};
  options.new_session_id = [] { return "only"; };
  ChannelEnd server;
  transport::StreamableHttpServer streamable(
      loop, options, [&server](auto channel, const std::string& /*principal*/) {
        server.take(std::move(channel));
      });
  server.act = [&server](const Json& message) {
    if (!message.contains("id")) return;
    const Json& id = message["id"];
    if (message["method"] == "initialize") {
      return server.answer(id, {{"protocolVersion", "2025-11-25"}});
    }
    const Json& text = message["params"]["text"];
    const Json progress = {{"jsonrpc", "2.0"}, {"method", "progress"}, {"params", text}};
    if (id.get<int>() % 2 == 0) server.channel->send_about(progress, *rpc::read_id(id));
    server.answer(id, text);
  };
  net::HttpServer http(loop, streamable, net::HttpAccess::anybody());
  const auto listener =
      network.listen({"h", 80}, std::nullopt, [&http](auto pipe) { http.accept(std::move(pipe)); });
  net::HttpClient client(loop, network);
  std::vector<std::string> heard;
  ChannelEnd end;
  end.act = [&heard](const Json& message) { heard.push_back(dump_json(message)); };
  end.take(std::make_unique<transport::StreamableHttpClient>(client,
                                                             wire::parse_url("http://h/").value()));
  end.request(0, "initialize");
  const Instant until = loop.now() + seconds(100);
  check(loop.run_until_idle(limits::kTurnsMax, until).ok(), "a restless world");
  end.notify("notifications/initialized");
  for (std::size_t i = 0; i < texts.size(); ++i) end.request(i + 1, "call", {{"text", texts[i]}});
  check(loop.run_until_idle(limits::kTurnsMax, until + seconds(100)).ok(), "a restless world");
  end.owned.reset();
  server.owned.reset();
  std::ranges::sort(heard);  // Exchanges run side by side.
  return heard;
}

RC_GTEST_PROP(FragmentationPropTest, TheMessagesAreTheSameHoweverBytesAreCut, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto raw = *rc::gen::arbitrary<std::vector<std::string>>();
  std::vector<std::string> texts;
  for (const std::string& text : raw) {  // As UTF-8, which is what JSON carries.
    texts.push_back(parse_json(dump_json(Json(text))).value().get<std::string>());
  }
  const std::vector<std::string> whole = talk(1, fakes::Fragments::kWhole, texts);
  RC_ASSERT(whole.size() == 1 + texts.size() + texts.size() / 2);
  RC_ASSERT(talk(seed, fakes::Fragments::kRandom, texts) == whole);
  if (texts.size() < 5) RC_ASSERT(talk(seed, fakes::Fragments::kOneByte, texts) == whole);
}

}  // namespace
}  // namespace plumbline::transports_test
