// Our HTTP against cpp-httplib, an implementation that shares nothing with ours: its client and our
// server, our client and its server, over sockets.

#include <httplib.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "tests/transports/http_fixture.h"
#include "tests/transports/streamable_fixture.h"

namespace plumbline::transports_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// run_beside runs `work` in a thread of its own while the loop turns.
void run_beside(SocketWorld& world, const std::function<void()>& work) {
  std::atomic<bool> done = false;
  std::thread thread([&] {
    work();
    done = true;
  });
  Alarm tick([&] { world.loop.arm(tick, world.loop.now() + milliseconds(2)); });
  world.loop.arm(tick, world.loop.now());
  EXPECT_TRUE(world.run_until([&] { return done.load(); }));
  thread.join();
}

class TheirClientTest : public HttpTest<SocketWorld> {
 protected:
  void ask(const std::function<void(httplib::Client&)>& work) {
    const int port = listener_->port();
    run_beside(world_, [&] {
      httplib::Client client("127.0.0.1", port);
      client.set_keep_alive(true);
      client.set_read_timeout(10);
      work(client);
    });
  }
};

TEST_F(TheirClientTest, IsAnsweredOnOneConnection) {
  ask([](httplib::Client& client) {
    for (int i = 0; i < 20; ++i) {
      const auto got = client.Get("/a?b=c");
      ASSERT_TRUE(got);
      EXPECT_EQ(got->status, 200);
      EXPECT_EQ(got->body, "/a?b=c ");
      const std::string body(static_cast<std::size_t>(i) * 50'000, 'y');
      const auto posted = client.Post("/p", body, "text/plain");
      ASSERT_TRUE(posted);
      EXPECT_EQ(posted->body, "/p " + body);
      EXPECT_EQ(posted->get_header_value("X-Method"), "POST");
    }
    const auto head = client.Head("/h");
    ASSERT_TRUE(head);
    EXPECT_EQ(head->status, 200);
  });
  EXPECT_EQ(handler_.requests, 41);
  EXPECT_LE(server_->connections(), 1U);
}

TEST_F(TheirClientTest, ReadsAStream) {
  std::unique_ptr<net::HttpReply> stream;
  int written = 0;
  Alarm next([&] {
    if (written == 50) return stream->end();
    stream->write("part " + std::to_string(written++) + "\n");
    world_.loop.arm(next, world_.loop.now() + milliseconds(1));
  });
  handler_.act = [&](HttpRequest, net::HttpReply reply) {
    stream = std::make_unique<net::HttpReply>(std::move(reply));
    stream->open_stream(200, {{"Content-Type", "text/plain"}});
    world_.loop.arm(next, world_.loop.now());
  };
  std::string body;
  ask([&](httplib::Client& client) {
    const auto got = client.Get("/", [&](const char* data, std::size_t size) {
      body.append(data, size);
      return true;
    });
    ASSERT_TRUE(got);
  });
  EXPECT_EQ(std::count(body.begin(), body.end(), '\n'), 50);
  EXPECT_TRUE(body.ends_with("part 49\n"));
}

class TheirMcpClientTest : public StreamableTest<SocketWorld> {};

TEST_F(TheirMcpClientTest, GoesThroughASession) {
  on_served_ = [](ChannelEnd& end) {
    end.act = [&end](const Json& message) {
      if (!message.contains("id")) return;
      const Json& id = message["id"];
      if (message["method"] == "tools/call") {
        end.channel->send_about({{"jsonrpc", "2.0"}, {"method", "notifications/progress"}},
                                *rpc::read_id(id));
      }
      end.answer(id, {{"protocolVersion", "2025-11-25"}});
    };
  };
  const int port = listener_->port();
  run_beside(world_, [&] {
    httplib::Client client("127.0.0.1", port);
    client.set_keep_alive(true);
    httplib::Headers headers = {{"Accept", "application/json, text/event-stream"}};
    const auto post = [&](const std::string& body) {
      return client.Post("/mcp", headers, body, "application/json");
    };
    const auto opened = post(R"({"jsonrpc":"2.0","id":0,"method":"initialize"})");
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->get_header_value("Content-Type"), "application/json");
    headers.emplace("mcp-session-id", opened->get_header_value("Mcp-Session-Id"));
    const auto noted = post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    ASSERT_TRUE(noted);
    EXPECT_EQ(noted->status, 202);
    EXPECT_EQ(noted->body, "");
    const auto called = post(R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})");
    ASSERT_TRUE(called);
    EXPECT_EQ(called->get_header_value("Content-Type"), "text/event-stream");
    EXPECT_NE(called->body.find("notifications/progress"), std::string::npos);
    EXPECT_LT(called->body.find("progress"), called->body.find("\"result\""));
    const auto ended = client.Delete("/mcp", headers);
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->status, 200);
    const auto late = post(R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
    ASSERT_TRUE(late);
    EXPECT_EQ(late->status, 404);
  });
}

// TheirServer listens in a thread of its own.
class TheirServer {
 public:
  explicit TheirServer(const std::function<void(httplib::Server&)>& prepare) {
    server_.set_keep_alive_timeout(1);  // Seconds that stop() may take.
    prepare(server_);
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~TheirServer() {
    server_.stop();
    thread_.join();
  }
  wire::Url url(const std::string& target) const {
    return wire::parse_url("http://127.0.0.1:" + std::to_string(port_) + target).value();
  }

 private:
  httplib::Server server_;
  int port_ = 0;
  std::thread thread_;
};

class TheirServerTest : public testing::Test {
 protected:
  Result<HttpResponse> fetch(const wire::Url& url, const std::string& method, std::string body) {
    HttpRequest request;
    request.method = method;
    request.body = std::move(body);
    auto task =
        net::fetch(client_, url, std::move(request), world_.loop.now() + seconds(10), 10'000'000);
    task.start();
    check(world_.run_until([&] { return task.done(); }), "a fetch without end");
    return std::move(task.result());
  }

  SocketWorld world_;
  net::HttpClient client_{world_.loop, world_.network};
};

TEST_F(TheirServerTest, AnswersUsOnOneConnection) {
  const TheirServer server([](httplib::Server& made) {
    made.Post("/echo", [](const httplib::Request& asked, httplib::Response& answer) {
      answer.set_content(asked.body, "text/plain");
    });
    made.Get("/moved", [](const httplib::Request&, httplib::Response& answer) {
      answer.set_redirect("/echo");
    });
  });
  for (int i = 0; i < 4; ++i) {  // It closes a connection after five.
    const std::string body(static_cast<std::size_t>(i) * 500'000, 'z');
    const Result<HttpResponse> got = fetch(server.url("/echo"), "POST", body);
    ASSERT_TRUE(got.ok()) << got.error().message;
    EXPECT_EQ(got.value().status, 200);
    EXPECT_TRUE(got.value().body == body) << i;
    EXPECT_EQ(client_.connections(), 1U);
  }
  EXPECT_EQ(fetch(server.url("/none"), "GET", "").value().status, 404);
  EXPECT_EQ(fetch(server.url("/moved"), "GET", "").value().status, 302);
}

TEST_F(TheirServerTest, StreamsEventsToUs) {
  std::atomic<int> gets = 0;
  const TheirServer server([&gets](httplib::Server& made) {
    made.Get("/mcp", [&gets](const httplib::Request&, httplib::Response& answer) {
      ++gets;
      answer.status = 405;
    });
    made.Post("/mcp", [](const httplib::Request& asked, httplib::Response& answer) {
      const Json body = parse_json(asked.body).value();
      if (!body.contains("id")) {
        answer.status = 202;
        return;
      }
      const Json result = {
          {"jsonrpc", "2.0"}, {"id", body["id"]}, {"result", {{"protocolVersion", "2025-06-18"}}}};
      if (body["method"] == "initialize") {
        return answer.set_content(dump_json(result), "application/json");
      }
      answer.set_chunked_content_provider(
          "text/event-stream", [text = dump_json(result)](std::size_t, httplib::DataSink& sink) {
            const std::string events =
                ": hello\r\n\r\nevent: message\r\ndata: " + text + "\r\n\r\n";
            for (const char& c : events) sink.write(&c, 1);
            sink.done();
            return true;
          });
    });
  });
  ChannelEnd end;
  end.take(std::make_unique<transport::StreamableHttpClient>(client_, server.url("/mcp")));
  end.request(0, "initialize");
  ASSERT_TRUE(world_.run_until([&] { return end.find_answer(0) != nullptr; }));
  end.notify("notifications/initialized");
  end.request(1, "tools/call");
  ASSERT_TRUE(world_.run_until([&] { return end.find_answer(1) != nullptr && gets == 1; }));
  world_.settle();
  EXPECT_EQ(gets, 1);
  EXPECT_TRUE(end.lost.empty());
  EXPECT_FALSE(end.closed);
  end.owned.reset();
}

}  // namespace
}  // namespace plumbline::transports_test
