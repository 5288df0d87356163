// HttpServer and HttpClient against each other, and against raw bytes.

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/transports/http_fixture.h"

namespace plumbline::transports_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TYPED_TEST_SUITE(HttpTest, AllWorlds);

TYPED_TEST(HttpTest, ARequestIsAnswered) {
  const Result<HttpResponse> answer = this->fetch(this->request("POST", "body"), "/a?b=c");
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(answer.value().status, 200);
  EXPECT_EQ(answer.value().headers.get("x-method"), "POST");
  EXPECT_EQ(answer.value().body, "/a?b=c body");
}

TYPED_TEST(HttpTest, ARequestNamesItsServerUnlessItNamesAnother) {
  this->handler_.act = [](const HttpRequest& asked, net::HttpReply reply) {
    reply.respond(HttpResponse{200, {}, std::string(asked.headers.get("Host").value_or("none"))});
  };
  EXPECT_EQ(this->fetch(this->request("GET")).value().body, this->url("/").host_header());
  HttpRequest other = this->request("GET");
  other.headers.set("Host", "other.example:8080");
  EXPECT_EQ(this->fetch(std::move(other)).value().body, "other.example:8080");
}

TYPED_TEST(HttpTest, OneConnectionServesOneRequestAfterTheOther) {
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(this->fetch(this->request("GET")).ok());
  EXPECT_EQ(this->handler_.requests, 20);
  EXPECT_EQ(this->client_->connections(), 1U);
  EXPECT_EQ(this->server_->connections(), 1U);
}

TYPED_TEST(HttpTest, AConnectionThatTheServerClosesIsNotUsedAgain) {
  this->handler_.act = [](HttpRequest, net::HttpReply reply) {
    reply.respond(HttpResponse{200, {{"Connection", "close"}}, "bye"});
  };
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(this->fetch(this->request("POST", "x")).value().body, "bye");
  EXPECT_TRUE(this->world_.run_until([&] { return this->server_->connections() == 0; }));
  EXPECT_EQ(this->client_->connections(), 0U);
}

TYPED_TEST(HttpTest, WhatStandsBeforeAHandlerAddsFieldsAndHearsTheStatus) {
  std::vector<int> statuses;
  bool whole = false;
  this->handler_.act = [&](HttpRequest, net::HttpReply reply) {
    reply.set_header("X-Added", "yes");
    reply.set_header("Cache-Control", "no-store");
    reply.on_head([&](const net::HttpReply&, int status) { statuses.push_back(status); });
    net::HttpReply moved = std::move(reply);
    if (whole) return moved.respond(HttpResponse{418, {{"Cache-Control", "public"}}, "x"});
    // Nobody answers: what was set goes with the 500, too.
  };
  for (const int status : {500, 418}) {
    const HttpResponse said = this->fetch(this->request("GET")).value();
    EXPECT_EQ(said.status, status);
    EXPECT_EQ(said.headers.get("X-Added"), "yes");
    EXPECT_EQ(said.headers.get("Cache-Control"), "no-store");
    EXPECT_EQ(said.headers.count("Cache-Control"), 1U);
    whole = true;
  }
  EXPECT_EQ(statuses, (std::vector<int>{500, 418}));
}

TYPED_TEST(HttpTest, AServerThatDrainsAnswersWhatIsHereAndCloses) {
  std::optional<net::HttpReply> kept;
  this->handler_.act = [&](HttpRequest, net::HttpReply reply) { kept = std::move(reply); };
  ASSERT_TRUE(this->world_.run_until([] { return true; }));
  AnswerLog log;
  const auto exchange = this->client_->start(this->url("/"), this->request("GET"), log, kNever);
  ASSERT_TRUE(this->world_.run_until([&] { return kept.has_value(); }));
  this->server_->drain();
  this->world_.settle();
  EXPECT_EQ(this->server_->connections(), 1U);
  kept->respond(HttpResponse{200, {}, "last"});
  ASSERT_TRUE(this->world_.run_until([&] { return log.over; }));
  EXPECT_EQ(log.body, "last");
  EXPECT_EQ(log.headers.get("Connection"), "close");
  EXPECT_TRUE(this->world_.run_until([&] { return this->server_->connections() == 0; }));
}

TYPED_TEST(HttpTest, WhatExceedsTheConnectionsWaitsItsTurn) {
  net::HttpClientOptions options = this->client_options();
  options.connections_max = 2;
  net::HttpClient client(this->world_.loop, this->world_.network, options);
  std::vector<net::HttpReply> open;
  this->handler_.act = [&](HttpRequest, net::HttpReply reply) { open.push_back(std::move(reply)); };
  std::vector<AnswerLog> logs(5);
  std::vector<std::unique_ptr<net::HttpExchange>> exchanges;
  for (AnswerLog& log : logs) {
    exchanges.push_back(client.start(this->url(), this->request("GET"), log, kNever));
  }
  for (std::size_t answered = 0; answered < 5; ++answered) {
    ASSERT_TRUE(this->world_.run_until([&] { return open.size() > answered; }));
    this->world_.settle();
    EXPECT_LE(open.size(), answered + 2);
    EXPECT_LE(client.connections(), 2U);
    open[answered].respond(HttpResponse{200, {}, "ok"});
  }
  EXPECT_TRUE(this->world_.run_until([&] { return logs[4].over && logs[3].over; }));
  for (const AnswerLog& log : logs) EXPECT_EQ(log.body, "ok");
}

TYPED_TEST(HttpTest, StreamsDoNotKeepAShortRequestWaiting) {
  net::HttpClientOptions options = this->client_options();
  options.connections_max = 1;
  net::HttpClient client(this->world_.loop, this->world_.network, options);
  net::HttpReply open;
  this->handler_.act = [&](HttpRequest asked, net::HttpReply reply) {
    if (asked.target == "/short") return reply.respond(HttpResponse{200, {}, "ok"});
    open = std::move(reply);
  };
  AnswerLog stream, waiting;
  const auto first = client.start(this->url("/long"), this->request("GET"), stream, kNever);
  const auto second = client.start(this->url("/long"), this->request("GET"), waiting, kNever);
  const Result<HttpResponse> answer =
      this->wait(net::fetch(client, this->url("/short"), this->request("POST"),
                            this->world_.loop.now() + seconds(5), 100));
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(answer.value().body, "ok");
}

TYPED_TEST(HttpTest, AStreamArrivesAsItIsWritten) {
  net::HttpReply stream;
  this->handler_.act = [&](HttpRequest, net::HttpReply reply) {
    stream = std::move(reply);
    stream.open_stream(200, {{"Content-Type", "text/plain"}});
  };
  AnswerLog log;
  const auto exchange = this->client_->start(this->url(), this->request("GET"), log, kNever);
  ASSERT_TRUE(this->world_.run_until([&] { return log.status == 200; }));
  for (const char* const text : {"one", "two"}) {
    stream.write(text);
    ASSERT_TRUE(this->world_.run_until([&] { return log.body.ends_with(text); })) << log.body;
  }
  EXPECT_FALSE(log.over);
  stream.end();
  ASSERT_TRUE(this->world_.run_until([&] { return log.over; }));
  EXPECT_FALSE(log.error);
  EXPECT_EQ(log.body, "onetwo");
  this->handler_.act = nullptr;
  EXPECT_TRUE(this->fetch(this->request("GET")).ok());
  EXPECT_EQ(this->server_->connections(), 1U);
}

TYPED_TEST(HttpTest, TheHandlerLearnsThatTheClientIsGone) {
  net::HttpReply stream;
  int gone = 0;
  this->handler_.act = [&](HttpRequest, net::HttpReply reply) {
    stream = std::move(reply);
    stream.on_gone([&] { ++gone; });
    stream.open_stream(200, {});
    stream.write("x");
  };
  AnswerLog log;
  auto exchange = this->client_->start(this->url(), this->request("GET"), log, kNever);
  ASSERT_TRUE(this->world_.run_until([&] { return log.body == "x"; }));
  exchange.reset();
  ASSERT_TRUE(this->world_.run_until([&] { return gone > 0; }));
  EXPECT_EQ(gone, 1);
  EXPECT_FALSE(stream.open());
  EXPECT_EQ(this->server_->connections(), 0U);
  EXPECT_FALSE(log.over);
}

TYPED_TEST(HttpTest, AStreamThatIsDroppedFails) {
  this->handler_.act = [](HttpRequest, net::HttpReply reply) {
    reply.open_stream(200, {});
    reply.write("half");
  };
  AnswerLog log;
  const auto exchange = this->client_->start(this->url(), this->request("GET"), log, kNever);
  ASSERT_TRUE(this->world_.run_until([&] { return log.over; }));
  ASSERT_TRUE(log.error);
  EXPECT_EQ(log.error->code, ErrorCode::kDisconnected);
}

TYPED_TEST(HttpTest, AReplyThatIsForgottenIsAnError) {
  this->handler_.act = [](HttpRequest, net::HttpReply) {};
  EXPECT_EQ(this->fetch(this->request("GET")).value().status, 500);
}

TYPED_TEST(HttpTest, PipelinedRequestsAreServedInOrder) {
  std::vector<net::HttpReply> open;
  std::vector<std::string> targets;
  this->handler_.act = [&](HttpRequest asked, net::HttpReply reply) {
    targets.push_back(asked.target);
    if (asked.target != "/slow") return reply.respond(HttpResponse{200, {}, asked.target});
    open.push_back(std::move(reply));
  };
  const std::unique_ptr<net::Pipe> pipe = this->dial();
  fakes::PipeLog log;
  pipe->start(log);
  pipe->write(
      "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /slow HTTP/1.1\r\nHost: a\r\n\r\n"
      "GET /3 HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_TRUE(this->world_.run_until([&] { return !open.empty(); }));
  this->world_.settle();
  EXPECT_EQ(targets, (std::vector<std::string>{"/1", "/slow"}));
  open[0].respond(HttpResponse{200, {}, "/2"});
  ASSERT_TRUE(this->world_.run_until([&] { return log.text.ends_with("/3"); }));
  EXPECT_LT(log.text.find("\r\n\r\n/1"), log.text.find("\r\n\r\n/2"));
  pipe->close();
}

TYPED_TEST(HttpTest, AClientThatAsksFirstIsToldToGoOn) {
  const std::string text =
      this->say("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n",
                "100 Continue\r\n\r\n");
  EXPECT_TRUE(text.starts_with("HTTP/1.1 100 Continue\r\n\r\n")) << text;
}

TYPED_TEST(HttpTest, AHeadWithoutEndIsRefusedAndTheConnectionClosed) {
  const std::string field(1'000, 'x');
  std::string bytes = "GET / HTTP/1.1\r\nHost: a\r\n";
  for (int i = 0; i < 80; ++i) bytes += "X-" + std::to_string(i) + ": " + field + "\r\n";
  const std::string text = this->say(bytes, "nothing of the kind");
  EXPECT_TRUE(text.starts_with("HTTP/1.1 431 ")) << text;
  EXPECT_EQ(this->handler_.requests, 0);
  EXPECT_TRUE(this->world_.run_until([&] { return this->server_->connections() == 0; }));
}

TYPED_TEST(HttpTest, ABodyThatIsTooLongIsRefusedBeforeItCame) {
  const std::string text = this->say(
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\nand so on", "no such text");
  EXPECT_TRUE(text.starts_with("HTTP/1.1 413 ")) << text;
  EXPECT_EQ(this->handler_.requests, 0);
}

TYPED_TEST(HttpTest, WhatIsNoHttpIsRefused) {
  EXPECT_TRUE(this->say("hello\r\n\r\n", "no such text").starts_with("HTTP/1.1 400 "));
  EXPECT_EQ(this->handler_.requests, 0);
}

TYPED_TEST(HttpTest, HeadHasNoBody) {
  const Result<HttpResponse> answer = this->fetch(this->request("HEAD"));
  EXPECT_EQ(answer.value().status, 200);
  EXPECT_EQ(answer.value().body, "");
  EXPECT_EQ(this->fetch(this->request("GET")).value().body, "/ ");
  EXPECT_EQ(this->client_->connections(), 1U);
}

TYPED_TEST(HttpTest, AnUpgradeHandsTheConnectionOverToBothSides) {
  std::unique_ptr<net::Pipe> theirs;
  fakes::PipeLog their_log;
  this->handler_.act = [&](HttpRequest, net::HttpReply reply) {
    theirs = reply.upgrade({{"Connection", "Upgrade"}, {"Upgrade", "parrot"}});
    theirs->start(their_log);
    theirs->write("hello");
  };
  AnswerLog log;
  std::unique_ptr<net::HttpExchange> exchange;
  std::unique_ptr<net::Pipe> ours;
  fakes::PipeLog our_log;
  log.at_head = [&] {
    ours = exchange->take_pipe();
    ours->start(our_log);
    ours->write("hi");
  };
  HttpRequest asked = this->request("GET");
  asked.headers = {{"Connection", "Upgrade"}, {"Upgrade", "parrot"}};
  exchange = this->client_->start(this->url(), asked, log, kNever);
  EXPECT_TRUE(
      this->world_.run_until([&] { return our_log.text == "hello" && their_log.text == "hi"; }));
  EXPECT_EQ(log.status, 101);
  this->world_.settle();
  EXPECT_EQ(this->server_->connections(), 0U);
  EXPECT_EQ(this->client_->connections(), 0U);
  ours.reset();
  EXPECT_TRUE(this->world_.run_until([&] { return their_log.ended; }));
}

TYPED_TEST(HttpTest, ADeadlineEndsTheExchangeAndItsConnection) {
  std::vector<net::HttpReply> open;
  this->handler_.act = [&](HttpRequest, net::HttpReply reply) { open.push_back(std::move(reply)); };
  AnswerLog log;
  const auto exchange = this->client_->start(this->url(), this->request("GET"), log,
                                             this->world_.loop.now() + milliseconds(300));
  ASSERT_TRUE(this->world_.run_until([&] { return !open.empty(); }));
  EXPECT_FALSE(log.over);
  ASSERT_TRUE(this->world_.run_until([&] { return log.over; }));
  EXPECT_EQ(log.error->code, ErrorCode::kDeadlineExceeded);
  EXPECT_TRUE(this->world_.run_until([&] { return this->server_->connections() == 0; }));
}

TYPED_TEST(HttpTest, NobodyThereIsToldApartFromABrokenExchange) {
  const wire::Url nobody = this->url();
  this->listener_.reset();
  this->world_.settle();
  AnswerLog log;
  const auto exchange = this->client_->start(nobody, this->request("GET"), log, kNever);
  ASSERT_TRUE(this->world_.run_until([&] { return log.over; }));
  EXPECT_EQ(log.error->code, ErrorCode::kDisconnected);
  EXPECT_FALSE(log.connected);
}

TYPED_TEST(HttpTest, AnAnswerOfTooManyBytesIsNotKept) {
  this->handler_.act = [](HttpRequest, net::HttpReply reply) {
    reply.respond(HttpResponse{200, {}, std::string(100'001, 'x')});
  };
  EXPECT_EQ(this->fetch(this->request("GET")).error().code, ErrorCode::kLimitReached);
  EXPECT_EQ(this->client_->connections(), 0U);
}

TYPED_TEST(HttpTest, MoreConnectionsThanAllowedAreClosed) {
  net::HttpServerOptions options;
  options.all.set(Resource::kConnections, 1);
  this->restart_server(options);
  ASSERT_TRUE(this->fetch(this->request("GET")).ok());
  const std::unique_ptr<net::Pipe> second = this->dial();
  fakes::PipeLog log;
  second->start(log);
  second->write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_TRUE(this->world_.run_until([&] { return log.ended; }));
  EXPECT_EQ(log.text, "");
}

TYPED_TEST(HttpTest, TheServerMayGoWhileARequestIsWithItsHandler) {
  net::HttpReply open;
  this->handler_.act = [&](HttpRequest, net::HttpReply reply) {
    open = std::move(reply);
    this->server_.reset();
  };
  EXPECT_FALSE(this->fetch(this->request("POST", "x")).ok());
  EXPECT_FALSE(open.open());
  open.respond(HttpResponse{});
  this->restart_server({});
}

// A peer made of bytes: it closes the connection on which the second request comes.
template <typename World>
class StaleConnectionTest : public WorldTest<World> {
 protected:
  struct Peer final : net::PipeReader {
    void on_bytes(std::string_view bytes) override {
      read += bytes;
      if (!read.ends_with("\r\n\r\n")) return;
      read.clear();
      if (++requests == 2 && first) return pipe->close();
      pipe->write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok" + behind);
    }
    void on_end(const Error*) override {}
    bool first = false;
    std::string behind;
    int requests = 0;
    std::string read;
    std::unique_ptr<net::Pipe> pipe;
  };

  void SetUp() override {
    this->listen([this](auto pipe) {
      peers_.push_back(std::make_unique<Peer>());
      peers_.back()->first = peers_.size() == 1;
      peers_.back()->behind = behind_;
      peers_.back()->pipe = std::move(pipe);
      peers_.back()->pipe->start(*peers_.back());
    });
  }

  Result<HttpResponse> fetch(std::string method) {
    HttpRequest request;
    request.method = std::move(method);
    const Instant deadline = this->world_.loop.now() + seconds(5);
    return this->wait(net::fetch(client_, this->url(), request, deadline, 100));
  }

  std::string behind_;  // What a peer sends behind each answer.
  std::vector<std::unique_ptr<Peer>> peers_;
  net::HttpClient client_{this->world_.loop, this->world_.network, this->client_options()};
};

TYPED_TEST_SUITE(StaleConnectionTest, AllWorlds);

TYPED_TEST(StaleConnectionTest, AnIdempotentRequestIsSentOnceMore) {
  ASSERT_TRUE(this->fetch("GET").ok());
  EXPECT_TRUE(this->fetch("GET").ok());
  EXPECT_EQ(this->peers_.size(), 2U);
}

TYPED_TEST(StaleConnectionTest, WhatFollowsAnAnswerIsNotTheNextOne) {
  this->behind_ = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong";
  ASSERT_EQ(this->fetch("POST").value().body, "ok");
  this->world_.settle();
  EXPECT_EQ(this->fetch("POST").value().body, "ok");
  EXPECT_EQ(this->peers_.size(), 2U);
}

TYPED_TEST(StaleConnectionTest, ARequestThatMayHaveBeenCarriedOutIsNot) {
  ASSERT_TRUE(this->fetch("GET").ok());
  EXPECT_EQ(this->fetch("POST").error().code, ErrorCode::kDisconnected);
  EXPECT_EQ(this->peers_.size(), 1U);
}

}  // namespace
}  // namespace plumbline::transports_test
