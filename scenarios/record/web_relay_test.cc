// Whatever passes the relay stands in the recording before: the file fails at each line in turn,
// and nothing that it does not hold is heard on either side.

#include "scenarios/record/web_relay.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/wire/websocket.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"

namespace plumbline::scenarios {
namespace {

constexpr std::size_t kMarks = 3;

std::string mark(const std::string& side, std::size_t number) {
  return "from-" + side + "-" + std::to_string(number);
}

std::string message(const std::string& side, std::size_t number) {
  return R"({"jsonrpc":"2.0","method":")" + mark(side, number) + R"("})";
}

// Hearer keeps what comes, and does not mind how it ends.
struct Hearer final : net::PipeReader {
  void on_bytes(std::string_view more) override { bytes += more; }
  void on_end(const Error* /*error*/) override {}

  std::string bytes;
};

// Server answers a POST with a message, a GET with a stream of them, and speaks WebSocket.
class Server final : public net::HttpHandler {
 public:
  void on_request(wire::HttpRequest request, net::HttpReply reply) override {
    heard.bytes += request.body;
    if (request.headers.get("Upgrade")) {
      pipe_ = reply.upgrade({{"Upgrade", "websocket"}, {"Connection", "Upgrade"}});
      pipe_->start(heard);
      for (std::size_t i = 0; i < kMarks; ++i) {
        std::string frame;
        wire::append_ws_frame(frame, wire::WebSocketOpcode::kText, message("server", i), {});
        pipe_->write(std::move(frame));
      }
      return;
    }
    if (request.method == "POST") {
      return reply.respond({200, {{"Content-Type", "application/json"}}, message("server", 0)});
    }
    reply.open_stream(200, {{"Content-Type", "text/event-stream"}});
    for (std::size_t i = 0; i < kMarks; ++i) reply.write("data: " + message("server", i) + "\n\n");
    reply.end();
  }

  Hearer heard;

 private:
  std::unique_ptr<net::Pipe> pipe_;
};

// Client makes one exchange, and speaks over a WebSocket.
class Client final : public net::HttpExchangeReader {
 public:
  void on_head(int status, const wire::HttpHeaders& /*headers*/) override {
    if (status != 101) return;
    pipe = exchange->take_pipe();
    pipe->start(heard);
    for (std::size_t i = 0; i < kMarks; ++i) {
      std::string frame;
      wire::append_ws_frame(frame, wire::WebSocketOpcode::kText, message("client", i),
                            wire::WebSocketMask{});
      pipe->write(std::move(frame));
    }
  }
  void on_body(std::string_view bytes) override { heard.bytes += bytes; }
  void on_end() override {}
  void on_failed(const Error& /*error*/, bool /*connected*/) override {}

  Hearer heard;
  std::unique_ptr<net::HttpExchange> exchange;
  std::unique_ptr<net::Pipe> pipe;
};

wire::HttpRequest request_of(const std::string& way) {
  wire::HttpRequest request;
  request.method = way == "json" ? "POST" : "GET";
  request.headers.set("Host", "relay.example");
  if (way == "json") request.body = message("client", 0);
  if (way == "websocket") {
    request.headers.set("Upgrade", "websocket");
    request.headers.set("Connection", "Upgrade");
  }
  return request;
}

// RelayTrial is what one run has left.
struct RelayTrial {
  std::string kept;
  std::string by_server;  // What the client has heard,
  std::string by_client;  // and what the server has.
  std::size_t lines = 0;  // That were to be written.
};

// record runs one exchange by `way`, of which the file keeps `lines_max` lines.
RelayTrial record(const std::string& way, std::size_t lines_max) {
  RelayTrial trial;
  const Masker masker({}, {});
  Recorder recorder(masker, [&](const std::string& line) -> Status {
    if (++trial.lines > lines_max) return Error{ErrorCode::kLimitReached, "the disk is full"};
    trial.kept += line;
    return Done();
  });
  recorder.begin(Json::object());
  WebRecorder web(recorder);
  fakes::SimLoop loop;
  fakes::SimNetwork network(loop, fakes::PipeOptions(), Rng(1));
  Server server;
  net::HttpServer behind(loop, server, net::HttpAccess::anybody());
  const auto listener = network.listen({"server.example", 80}, std::nullopt,
                                       [&](auto pipe) { behind.accept(std::move(pipe)); });
  WebRelayOptions options;
  options.at = {"relay.example", 80};
  options.access = net::HttpAccess::anybody();
  options.to = wire::parse_url("http://server.example/mcp").value();
  const auto relay = WebRelay::listen(loop, network, std::move(options), web);
  EXPECT_TRUE(relay.ok());
  net::HttpClient http(loop, network);
  Client client;
  client.exchange = http.start(wire::parse_url("http://relay.example/mcp").value(), request_of(way),
                               client, kNever);
  EXPECT_TRUE(loop.run_until_idle().ok());
  trial.by_server = client.heard.bytes;
  trial.by_client = server.heard.bytes;
  return trial;
}

bool heard_unkept(const RelayTrial& trial, const std::string& side, const std::string& heard) {
  for (std::size_t i = 0; i < kMarks; ++i) {
    const bool kept = trial.kept.find(mark(side, i)) != std::string::npos;
    if (!kept && heard.find(mark(side, i)) != std::string::npos) return true;
  }
  return false;
}

TEST(WebRelayTest, NothingIsHeardThatTheRecordingDoesNotHold) {
  for (const std::string way : {"json", "events", "websocket"}) {
    const RelayTrial whole = record(way, 1'000);
    const std::size_t last = way == "json" ? 0 : kMarks - 1;
    ASSERT_NE(whole.by_server.find(mark("server", last)), std::string::npos) << way;
    if (way == "websocket") {
      EXPECT_NE(whole.by_client.find(mark("client", last)), std::string::npos);
    }
    ASSERT_GT(whole.lines, 4U);
    for (std::size_t lines = 0; lines < whole.lines; ++lines) {
      const RelayTrial trial = record(way, lines);
      EXPECT_FALSE(heard_unkept(trial, "server", trial.by_server)) << way << ' ' << lines;
      EXPECT_FALSE(heard_unkept(trial, "client", trial.by_client)) << way << ' ' << lines;
    }
  }
}

}  // namespace
}  // namespace plumbline::scenarios
