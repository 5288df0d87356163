// Streamable HTTP without sessions (2026-07-28), and the statuses of both kinds.

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fakes/testing/pipe_log.h"
#include "tests/transports/streamable_fixture.h"

namespace plumbline::transports_test {
namespace {

using wire::HttpHeaders;
using wire::HttpResponse;

Json call(const Json& id, const std::string& tool, Json arguments = Json::object()) {
  return {{"jsonrpc", "2.0"},
          {"id", id},
          {"method", "tools/call"},
          {"params", {{"name", tool}, {"arguments", std::move(arguments)}, {"_meta", meta()}}}};
}

Json failure(const Json& id, int code) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", "no"}}}};
}

template <typename World>
class StreamableStatelessTest : public StreamableTest<World> {};

TYPED_TEST_SUITE(StreamableStatelessTest, AllWorlds);

TYPED_TEST(StreamableStatelessTest, ARequestIsAConversationOfItsOwn) {
  this->client_->channel->send(call(1, "w"));
  ASSERT_TRUE(this->world_.run_until([&] { return this->served_.size() == 1; }));
  this->client_->channel->send(call(1 + 1, "w"));
  ASSERT_TRUE(this->world_.run_until([&] { return this->served_.size() == 2; }));
  this->served_[1]->answer(2, "second");
  this->served_[0]->answer(1, "first");
  ASSERT_TRUE(this->world_.run_until([&] { return this->answered(1) && this->answered(2); }));
  ASSERT_TRUE(
      this->world_.run_until([&] { return this->served_[0]->closed && this->served_[1]->closed; }));
  EXPECT_FALSE(this->served_[0]->error);
  const wire::HttpRequest asked = this->spy_.requests.at(0);
  EXPECT_EQ(asked.headers.get("MCP-Protocol-Version"), "2026-07-28");
  EXPECT_EQ(asked.headers.get("Mcp-Method"), "tools/call");
  EXPECT_EQ(asked.headers.get("Mcp-Name"), "w");
  EXPECT_FALSE(asked.headers.get("Mcp-Session-Id"));
  EXPECT_TRUE(this->spy_.of("GET").empty());
}

TYPED_TEST(StreamableStatelessTest, TakingARequestBackClosesItsExchangeAndSendsNothing) {
  this->client_->channel->send(call(1, "w"));
  ASSERT_TRUE(this->world_.run_until([&] { return this->served_.size() == 1; }));
  this->client_->notify("notifications/cancelled", {{"requestId", 1}});
  ASSERT_TRUE(this->world_.run_until([&] { return this->served_[0]->closed; }));
  EXPECT_EQ(this->served_[0]->error->code, ErrorCode::kDisconnected);
  EXPECT_EQ(this->spy_.requests.size(), 1U);
  EXPECT_TRUE(this->client_->lost.empty());
}

TYPED_TEST(StreamableStatelessTest, ASubscriptionIsAStreamThatStaysOpen) {
  this->client_->request("s", "subscriptions/listen", {{"_meta", meta()}});
  ASSERT_TRUE(this->world_.run_until([&] { return this->served_.size() == 1; }));
  for (int n = 0; n < 5; ++n) {
    this->server().notify("notifications/tools/list_changed");
    this->world_.settle();
  }
  EXPECT_EQ(this->client_->messages.size(), 5U);
  this->server().answer("s", {{"resultType", "complete"}});
  ASSERT_TRUE(this->world_.run_until([&] { return this->answered("s"); }));
}

TYPED_TEST(StreamableStatelessTest, AConversationThatIsDroppedIsReported) {
  this->client_->channel->send(call(1, "w"));
  ASSERT_TRUE(this->world_.run_until([&] { return this->served_.size() == 1; }));
  this->server().notify("notifications/progress");
  ASSERT_TRUE(this->world_.run_until([&] { return !this->client_->messages.empty(); }));
  this->server().channel->close();
  ASSERT_TRUE(this->world_.run_until([&] { return !this->client_->lost.empty(); }));
  EXPECT_EQ(this->client_->lost[0].second.code, ErrorCode::kDisconnected);
  EXPECT_EQ(this->spy_.requests.size(), 1U);
  EXPECT_FALSE(this->client_->closed);
}

TYPED_TEST(StreamableStatelessTest, ArgumentsAreMirroredAsTheListSays) {
  const Json schema = {
      {"type", "object"},
      {"properties", {{"region", {{"type", "string"}, {"x-mcp-header", "Region"}}}}}};
  const Json broken = {{"properties", {{"x", {{"type", "number"}, {"x-mcp-header", "X"}}}}}};
  const auto params = transport::param_headers_of(schema);
  this->options_.mirrored_params = [&](const std::string&) { return &params.value(); };
  this->restart();
  std::vector<std::string> dropped;
  transport::StreamableHttpClientOptions options;
  options.on_tool_dropped = [&](const std::string& tool, const std::string&) {
    dropped.push_back(tool);
  };
  this->connect(options);
  this->client_->request(1, "tools/list", {{"_meta", meta()}});
  ASSERT_TRUE(this->world_.run_until([&] { return this->served_.size() == 1; }));
  this->server().answer(
      1,
      {{"tools",
        {{{"name", "bad"}, {"inputSchema", broken}}, {{"name", "w"}, {"inputSchema", schema}}}}});
  ASSERT_TRUE(this->world_.run_until([&] { return this->answered(1); }));
  EXPECT_EQ(dropped, std::vector<std::string>{"bad"});
  EXPECT_EQ((*this->client_->find_answer(1))["result"]["tools"].size(), 1U);
  this->client_->channel->send(call(2, "w", {{"region", "Z\u00fcrich"}}));
  ASSERT_TRUE(this->world_.run_until([&] { return this->served_.size() == 2; }));
  EXPECT_EQ(this->spy_.requests.back().headers.get("Mcp-Param-Region"), "=?base64?WsO8cmljaA==?=");
  HttpHeaders headers = this->spy_.requests.back().headers;
  headers.set("Mcp-Param-Region", "Bern");
  const HttpResponse refused = this->post(this->spy_.requests.back().body, headers);
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find("-32020"), std::string::npos) << refused.body;
}

TYPED_TEST(StreamableStatelessTest, ErrorsHaveTheStatusOfTheirCode) {
  const std::vector<std::pair<int, int>> expected = {{-32601, 404}, {-32020, 400}, {-32021, 400},
                                                     {-32022, 400}, {-32602, 400}, {-32603, 200}};
  this->on_served_ = [&](ChannelEnd& end) {
    end.act = [&](const Json& message) {
      const Json& id = message["id"];
      end.channel->send(failure(id, expected[id.get<std::size_t>()].first));
    };
  };
  for (std::size_t i = 0; i < expected.size(); ++i) {
    this->client_->channel->send(call(i, "w"));
    ASSERT_TRUE(this->world_.run_until([&] { return this->answered(i); }));
    EXPECT_EQ((*this->client_->find_answer(i))["error"]["code"], expected[i].first);
    EXPECT_EQ(
        this->post(this->spy_.requests.back().body, this->spy_.requests.back().headers).status,
        expected[i].second);
  }
  EXPECT_TRUE(this->client_->lost.empty());
}

TYPED_TEST(StreamableStatelessTest, ARefusalWithoutAnErrorIsALossUnlessItsStatusIsTelling) {
  this->spy_.instead = [](const wire::HttpRequest& request, net::HttpReply& reply) {
    const bool first = request.body.find("\"id\":1,") != std::string::npos;
    const bool third = request.body.find("\"id\":3,") != std::string::npos;
    const HttpResponse telling{429, {{"Retry-After", "2"}}, ""};
    const HttpResponse plain = first ? HttpResponse{410, {}, ""} : HttpResponse{502, {}, "<html>"};
    reply.respond(third ? telling : plain);
    return true;
  };
  this->client_->channel->send(call(1, "w"));
  ASSERT_TRUE(this->world_.run_until([&] { return this->client_->lost.size() == 1; }));
  EXPECT_EQ(this->client_->lost[0].second.code, ErrorCode::kUnsupported);
  EXPECT_EQ(this->client_->lost[0].second.message, "HTTP 410 Gone");
  this->client_->channel->send(call(3, "w"));
  ASSERT_TRUE(this->world_.run_until([&] { return this->answered(3); }));
  EXPECT_EQ((*this->client_->find_answer(3))["error"]["code"], 429);
  EXPECT_EQ((*this->client_->find_answer(3))["error"]["data"]["retryAfter"], 2);
  this->client_->channel->send(call(2, "w"));
  ASSERT_TRUE(this->world_.run_until([&] { return this->client_->lost.size() == 2; }));
  EXPECT_EQ(this->client_->lost[1].second.code, ErrorCode::kDisconnected);
}

TYPED_TEST(StreamableStatelessTest, AnErrorWithoutIdAnswersItsRequest) {
  this->spy_.instead = [](const wire::HttpRequest&, net::HttpReply& reply) {
    reply.respond(transport::refusal(400, -32022, "old"));
    return true;
  };
  this->client_->channel->send(call("x", "w"));
  ASSERT_TRUE(this->world_.run_until([&] { return this->answered("x"); }));
  EXPECT_EQ((*this->client_->find_answer("x"))["error"]["code"], -32022);
}

// Statuses ---

class StreamableStatusTest : public StreamableTest<WholeSimWorld> {
 protected:
  // with returns the headers of a good POST, changed.
  static HttpHeaders with(const std::string& name, const std::optional<std::string>& value) {
    HttpHeaders headers = {{"Content-Type", "application/json"},
                           {"Accept", "application/json, text/event-stream"},
                           {"MCP-Protocol-Version", "2026-07-28"},
                           {"Mcp-Method", "tools/call"},
                           {"Mcp-Name", "w"}};
    if (value) {
      headers.set(name, *value);
    } else {
      headers.erase(name);
    }
    return headers;
  }
  int code_of(const HttpResponse& response) {
    const Result<Json> body = parse_json(response.body);
    const Json* const code = body.ok() ? at_pointer(body.value(), "/error/code") : nullptr;
    return code == nullptr ? 0 : code->get<int>();
  }
  void expect(const HttpHeaders& headers, int status, int code,
              const std::string& body = dump_json(call(1, "w"))) {
    const HttpResponse response = post(body, headers);
    EXPECT_EQ(response.status, status) << response.body;
    EXPECT_EQ(code_of(response), code) << response.body;
    EXPECT_TRUE(served_.empty());
  }
};

TEST_F(StreamableStatusTest, HeadersThatDoNotMatchTheBodyAreRefused) {
  expect(with("MCP-Protocol-Version", std::nullopt), 400, -32020);
  expect(with("MCP-Protocol-Version", "2027-01-01"), 400, -32020);
  expect(with("Mcp-Method", std::nullopt), 400, -32020);
  expect(with("Mcp-Method", "TOOLS/CALL"), 400, -32020);
  expect(with("Mcp-Name", std::nullopt), 400, -32020);
  expect(with("Mcp-Name", "=?base64?dw=?="), 400, -32020);
  Json bare = call(1, "w");
  bare["params"].erase("_meta");
  expect(with("Mcp-Name", "w"), 400, -32602, dump_json(bare));
}

TEST_F(StreamableStatusTest, WhatIsNotForUsIsRefused) {
  expect(with("Accept", "application/json"), 406, -32600);
  expect(with("Content-Type", "text/plain"), 415, 0);
  expect(with("Origin", "https://evil.example"), 403, -32600);
  expect(with("Origin", "null"), 403, -32600);
  expect(with("Origin", "http://localhost.evil.example"), 403, -32600);
  expect(with("Mcp-Name", "w"), 400, -32700, "{\"jsonrpc\":");
  expect(with("Mcp-Name", "w"), 400, -32700, std::string(10'000, '[') + std::string(10'000, ']'));
  expect(with("Mcp-Name", "w"), 400, -32600, "[]");
  expect(with("Mcp-Name", "w"), 400, -32600, R"({"jsonrpc":"2.0","id":null,"method":"x"})");
}

TEST_F(StreamableStatusTest, AllowedOriginsAndTypesAreServed) {
  on_served_ = [](ChannelEnd& end) {
    end.act = [&end](const Json& message) { end.answer(message["id"], "ok"); };
  };
  for (const auto& [name, value] :
       std::vector<HttpHeaders::Field>{{"Origin", "http://localhost:6274"},
                                       {"Origin", "https://127.0.0.1"},
                                       {"Content-Type", "Application/JSON; charset=utf-8"},
                                       {"Accept", "*/*"},
                                       {"Mcp-Name", "=?base64?dw==?="}}) {
    EXPECT_EQ(post(dump_json(call(1, "w")), with(name, value)).status, 200) << value;
  }
}

TEST_F(StreamableStatusTest, AHostThatWeAreNotIsRefused) {
  const std::unique_ptr<net::Pipe> pipe = dial();
  fakes::PipeLog log;
  pipe->start(log);
  pipe->write("GET /mcp HTTP/1.1\r\nHost: rebound.example:80\r\n\r\n");
  ASSERT_TRUE(world_.run_until([&] { return !log.text.empty(); }));
  EXPECT_TRUE(log.text.starts_with("HTTP/1.1 403 ")) << log.text;
}

TEST_F(StreamableStatusTest, SessionsAreCheckedBeforeAnythingIsHeard) {
  HttpHeaders old = {{"Content-Type", "application/json"},
                     {"Accept", "application/json, text/event-stream"}};
  const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  EXPECT_EQ(post(ping, old).status, 400);
  old.set("Mcp-Session-Id", "made-up");
  EXPECT_EQ(post(ping, old).status, 404);
  ASSERT_NO_FATAL_FAILURE(open_session());
  old.set("Mcp-Session-Id", "session-1");
  old.set("MCP-Protocol-Version", "1999-01-01");
  EXPECT_EQ(post(ping, old).status, 400);
  old.set("MCP-Protocol-Version", "2025-11-25");
  EXPECT_EQ(post("[" + ping + "]", old).status, 400);
  EXPECT_EQ(post(R"({"jsonrpc":"2.0","method":"notifications/x"})", old).status, 202);
  wire::HttpRequest get;
  get.method = "GET";
  get.headers = {{"Accept", "text/event-stream"}, {"Mcp-Session-Id", "session-1"}};
  EXPECT_EQ(ask(get).status, 409);
  get.headers.set("Last-Event-ID", "17-4");
  EXPECT_EQ(ask(get).status, 400);
  get.headers.set("Accept", "text/html");
  EXPECT_EQ(ask(get).status, 406);
  get.method = "PUT";
  const HttpResponse put = ask(get);
  EXPECT_EQ(put.status, 405);
  EXPECT_EQ(put.headers.get("Allow"), "GET, POST, DELETE");
}

TEST_F(StreamableStatusTest, AServerWithoutSessionsOnlyTakesPosts) {
  restart();
  options_.stateful_versions.clear();
  server_ = std::make_unique<transport::StreamableHttpServer>(world_.loop, options_,
                                                              [](auto, const std::string&) {});
  spy_.to = server_.get();
  wire::HttpRequest get;
  get.method = "GET";
  get.headers = {{"Accept", "text/event-stream"}};
  EXPECT_EQ(ask(get).status, 405);
  get.method = "DELETE";
  EXPECT_EQ(ask(get).headers.get("Allow"), "POST");
}

TEST_F(StreamableStatusTest, SessionsAreBounded) {
  options_.sessions_max = 2;
  restart();
  const HttpHeaders headers = {{"Content-Type", "application/json"},
                               {"Accept", "application/json, text/event-stream"}};
  on_served_ = [](ChannelEnd& end) {
    end.act = [&end](const Json& message) { end.answer(message["id"], Json::object()); };
  };
  const std::string open = R"({"jsonrpc":"2.0","id":1,"method":"initialize"})";
  EXPECT_EQ(post(open, headers).status, 200);
  EXPECT_EQ(post(open, headers).status, 200);
  EXPECT_EQ(post(open, headers).status, 503);
  served_[0]->channel->close();
  EXPECT_EQ(post(open, headers).status, 200);
}

}  // namespace
}  // namespace plumbline::transports_test
