// Streamable HTTP with sessions (2025-03-26 to 2025-11-25), client and server against each other.

#include <chrono>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tests/transports/streamable_fixture.h"

namespace plumbline::transports_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

template <typename World>
class StreamableSessionTest : public StreamableTest<World> {};

TYPED_TEST_SUITE(StreamableSessionTest, AllWorlds);

TYPED_TEST(StreamableSessionTest, InitializeOpensASessionAndEveryLaterRequestNamesIt) {
  ASSERT_NO_FATAL_FAILURE(this->open_session());
  const wire::HttpRequest first = this->spy_.of("initialize").at(0);
  EXPECT_FALSE(first.headers.get("Mcp-Session-Id"));
  EXPECT_FALSE(first.headers.get("MCP-Protocol-Version"));
  EXPECT_EQ(first.headers.get("Accept"), "application/json, text/event-stream");
  for (const char* const method : {"notifications/initialized", "GET"}) {
    const wire::HttpRequest later = this->spy_.of(method).at(0);
    EXPECT_EQ(later.headers.get("Mcp-Session-Id"), "session-1") << method;
    EXPECT_EQ(later.headers.get("MCP-Protocol-Version"), "2025-11-25") << method;
  }
}

TYPED_TEST(StreamableSessionTest, TheVersionHeaderCameWithItsRevision) {
  ASSERT_NO_FATAL_FAILURE(this->open_session("2025-03-26"));
  EXPECT_FALSE(this->spy_.of("GET").at(0).headers.get("MCP-Protocol-Version"));
  EXPECT_EQ(this->spy_.of("GET").at(0).headers.get("Mcp-Session-Id"), "session-1");
}

TYPED_TEST(StreamableSessionTest, AnAnswerAloneIsOneJsonBody) {
  ASSERT_NO_FATAL_FAILURE(this->open_session());
  this->client_->request(1, "tools/list");
  ASSERT_TRUE(this->world_.run_until([&] { return this->heard("tools/list"); }));
  this->server().answer(1, {{"tools", Json::array()}});
  ASSERT_TRUE(this->world_.run_until([&] { return this->answered(1); }));
  EXPECT_EQ((*this->client_->find_answer(1))["result"], (Json{{"tools", Json::array()}}));
}

TYPED_TEST(StreamableSessionTest, WhatIsAboutARequestComesBeforeItsAnswer) {
  ASSERT_NO_FATAL_FAILURE(this->open_session());
  this->client_->request("a", "tools/call");
  ASSERT_TRUE(this->world_.run_until([&] { return this->heard("tools/call"); }));
  this->server().channel->send_about({{"jsonrpc", "2.0"}, {"method", "notifications/progress"}},
                                     rpc::RpcId("a"));
  ASSERT_TRUE(this->world_.run_until(
      [&] { return this->client_->find_method("notifications/progress") != nullptr; }));
  EXPECT_FALSE(this->answered("a"));
  this->server().answer("a", 7);
  ASSERT_TRUE(this->world_.run_until([&] { return this->answered("a"); }));
}

TYPED_TEST(StreamableSessionTest, AQuestionOnBehalfOfARequestIsAnsweredByAPost) {
  ASSERT_NO_FATAL_FAILURE(this->open_session());
  this->client_->request(1, "tools/call");
  ASSERT_TRUE(this->world_.run_until([&] { return this->heard("tools/call"); }));
  this->server().channel->send_about(
      {{"jsonrpc", "2.0"}, {"id", 50}, {"method", "elicitation/create"}}, 1);
  ASSERT_TRUE(this->world_.run_until(
      [&] { return this->client_->find_method("elicitation/create") != nullptr; }));
  this->client_->answer(50, "yes");
  ASSERT_TRUE(this->world_.run_until([&] { return this->server().find_answer(50) != nullptr; }));
  this->server().answer(1, "done");
  ASSERT_TRUE(this->world_.run_until([&] { return this->answered(1); }));
}

TYPED_TEST(StreamableSessionTest, WhatIsAboutNothingWaitsForTheGetStream) {
  this->client_->request(0, "initialize");
  ASSERT_TRUE(this->world_.run_until([&] { return !this->served_.empty(); }));
  this->server().answer(0, {{"protocolVersion", "2025-11-25"}});
  ASSERT_TRUE(this->world_.run_until([&] { return this->answered(0); }));
  this->server().notify("notifications/early");
  this->world_.settle();
  EXPECT_EQ(this->client_->find_method("notifications/early"), nullptr);
  this->client_->notify("notifications/initialized");
  ASSERT_TRUE(this->world_.run_until(
      [&] { return this->client_->find_method("notifications/early") != nullptr; }));
  this->server().notify("notifications/late");
  ASSERT_TRUE(this->world_.run_until(
      [&] { return this->client_->find_method("notifications/late") != nullptr; }));
  EXPECT_EQ(this->client_->messages.size(), 3U);
}

TYPED_TEST(StreamableSessionTest, ManyRequestsRunAtOnceAndAreAnsweredInAnyOrder) {
  ASSERT_NO_FATAL_FAILURE(this->open_session());
  for (int id = 1; id <= 20; ++id) this->client_->request(id, "tools/call");
  ASSERT_TRUE(this->world_.run_until([&] { return this->server().messages.size() == 22; }));
  for (int id = 20; id >= 1; --id) this->server().answer(id, id);
  ASSERT_TRUE(this->world_.run_until([&] { return this->client_->messages.size() == 21; }));
  for (int id = 1; id <= 20; ++id) {
    ASSERT_TRUE(this->answered(id));
    EXPECT_EQ((*this->client_->find_answer(id))["result"], id);
  }
}

TYPED_TEST(StreamableSessionTest, AClosedStreamIsResumedForTheAnswer) {
  ASSERT_NO_FATAL_FAILURE(this->open_session());
  this->client_->request(1, "tools/call");
  ASSERT_TRUE(this->world_.run_until([&] { return this->heard("tools/call"); }));
  this->server().channel->close_stream(1);
  this->world_.settle();
  this->server().channel->send_about({{"jsonrpc", "2.0"}, {"method", "notifications/progress"}}, 1);
  this->server().answer(1, "here");
  EXPECT_FALSE(this->answered(1));
  ASSERT_TRUE(this->world_.run_until([&] { return this->answered(1); }));
  ASSERT_EQ(this->spy_.of("GET").size(), 2U);
  EXPECT_EQ(this->spy_.of("GET").at(1).headers.get("Last-Event-ID"), "3-1");
  EXPECT_NE(this->client_->find_method("notifications/progress"), nullptr);
  EXPECT_EQ(this->client_->messages.size(), 3U);
  EXPECT_TRUE(this->client_->lost.empty());
}

TYPED_TEST(StreamableSessionTest, ACancellationIsPostedAndItsExchangeEnds) {
  ASSERT_NO_FATAL_FAILURE(this->open_session());
  const std::size_t before = this->http_client_->connections();
  this->client_->request(1, "tools/call");
  ASSERT_TRUE(this->world_.run_until([&] { return this->heard("tools/call"); }));
  this->client_->notify("notifications/cancelled", {{"requestId", 1}});
  ASSERT_TRUE(this->world_.run_until([&] { return this->heard("notifications/cancelled"); }));
  this->world_.settle();
  EXPECT_LE(this->http_client_->connections(), before + 1);
  EXPECT_TRUE(this->client_->lost.empty());
  EXPECT_FALSE(this->server().closed);
}

TYPED_TEST(StreamableSessionTest, ARequestThatIsTakenBackEndsItsPostAndFreesItsId) {
  ASSERT_NO_FATAL_FAILURE(this->open_session());
  const wire::HttpHeaders headers = {{"Content-Type", "application/json"},
                                     {"Accept", "application/json, text/event-stream"},
                                     {"Mcp-Session-Id", "session-1"}};
  this->server().act = [this](const Json& message) {
    if (message.contains("id")) this->server().channel->leave_unanswered(1);
  };
  for (std::size_t i = 0; i < 3; ++i) {
    const wire::HttpResponse answer =
        this->post(R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})", headers);
    EXPECT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(answer.headers.get("Content-Type"), "text/event-stream");
    EXPECT_EQ(answer.body, "");
  }
}

TYPED_TEST(StreamableSessionTest, OfABatchTheRestIsAnswered) {
  ASSERT_NO_FATAL_FAILURE(this->open_session("2025-03-26"));
  this->client_->channel->send(Json::array({{{"jsonrpc", "2.0"}, {"id", 1}, {"method", "ping"}},
                                            {{"jsonrpc", "2.0"}, {"id", 2}, {"method", "ping"}}}));
  ASSERT_TRUE(this->world_.run_until([&] { return this->server().messages.back().is_array(); }));
  this->server().channel->leave_unanswered(1);
  this->server().channel->send(Json::array({{{"jsonrpc", "2.0"}, {"id", 2}, {"result", 2}}}));
  ASSERT_TRUE(this->world_.run_until([&] { return this->client_->messages.back().is_array(); }));
  EXPECT_EQ(this->client_->messages.back().size(), 1U);
}

TYPED_TEST(StreamableSessionTest, ABatchCountsEachOfItsRequests) {
  ASSERT_NO_FATAL_FAILURE(this->open_session("2025-03-26"));
  Json batch = Json::array();
  for (std::size_t id = 0; id <= limits::kRequestsInFlightMax; ++id) {
    batch.push_back({{"jsonrpc", "2.0"}, {"id", id}, {"method", "ping"}});
  }
  const wire::HttpHeaders headers = {{"Content-Type", "application/json"},
                                     {"Accept", "application/json, text/event-stream"},
                                     {"Mcp-Session-Id", "session-1"}};
  EXPECT_EQ(this->post(dump_json(batch), headers).status, 503);
}

// Headers repeat what the server has said.
TYPED_TEST(StreamableSessionTest, AVersionThatFitsInNoHeaderIsNotRepeated) {
  for (const std::string& version :
       {std::string("2025-11-25\n"), std::string("2025-11-25\r\nX: y"), std::string("2025-11-25 "),
        std::string("3\0", 2), std::string(limits::kHttpEchoBytesMax + 1, '9')}) {
    this->connect();
    this->client_->request(0, "initialize");
    ASSERT_TRUE(this->world_.run_until(
        [&] { return !this->served_.empty() && this->heard("initialize"); }));
    this->server().answer(0, {{"protocolVersion", version}});
    ASSERT_TRUE(this->world_.run_until([&] { return this->answered(0); }));
    this->client_->notify("notifications/initialized");
    ASSERT_TRUE(this->world_.run_until([&] { return this->heard("notifications/initialized"); }));
    EXPECT_FALSE(this->spy_.requests.back().headers.get("MCP-Protocol-Version"));
    this->client_->channel->close_send();
    ASSERT_TRUE(this->world_.run_until([&] { return this->client_->closed; }));
    this->client_.reset();
    this->served_.clear();
  }
}

TYPED_TEST(StreamableSessionTest, ASessionIdThatFitsInNoHeaderEndsTheChannel) {
  for (const std::string& id : {std::string("a\x01z"), std::string("a\x7f"), std::string("a\tb"),
                                std::string(limits::kHttpEchoBytesMax + 1, 'a')}) {
    this->connect();
    this->spy_.instead = [&id](const wire::HttpRequest&, net::HttpReply& reply) {
      reply.respond({200,
                     {{"Content-Type", "application/json"}, {"Mcp-Session-Id", id}},
                     R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25"}})"});
      return true;
    };
    this->client_->request(0, "initialize");
    ASSERT_TRUE(this->world_.run_until(
        [&] { return this->client_->closed || !this->client_->lost.empty(); }));
    EXPECT_FALSE(this->answered(0));
  }
}

TYPED_TEST(StreamableSessionTest, AnEventIdThatFitsInNoHeaderIsNotResumedFrom) {
  ASSERT_NO_FATAL_FAILURE(this->open_session());
  this->spy_.instead = [](const wire::HttpRequest&, net::HttpReply& reply) {
    reply.respond({200, {{"Content-Type", "text/event-stream"}}, "id: a\x01\ndata:\n\n"});
    return true;
  };
  this->client_->request(1, "tools/call");
  ASSERT_TRUE(this->world_.run_until([&] { return !this->client_->lost.empty(); }));
  EXPECT_EQ(this->client_->lost[0].second.code, ErrorCode::kDisconnected);
  EXPECT_EQ(this->spy_.of("GET").size(), 1U);
}

TYPED_TEST(StreamableSessionTest, CloseSendEndsTheSession) {
  ASSERT_NO_FATAL_FAILURE(this->open_session());
  EXPECT_EQ(this->server_->sessions(), 1U);
  this->client_->channel->close_send();
  ASSERT_TRUE(
      this->world_.run_until([&] { return this->client_->closed && this->server().closed; }));
  EXPECT_FALSE(this->client_->error);
  EXPECT_FALSE(this->server().error);
  EXPECT_EQ(this->server_->sessions(), 0U);
  EXPECT_EQ(this->spy_.of("DELETE").at(0).headers.get("Mcp-Session-Id"), "session-1");
}

TYPED_TEST(StreamableSessionTest, ASessionThatTheServerEndedClosesTheChannel) {
  ASSERT_NO_FATAL_FAILURE(this->open_session());
  this->server().channel->close();
  EXPECT_EQ(this->server_->sessions(), 0U);
  this->client_->request(1, "tools/list");
  ASSERT_TRUE(this->world_.run_until([&] { return this->client_->closed; }));
  ASSERT_TRUE(this->client_->error);
  EXPECT_EQ(this->client_->error->code, ErrorCode::kDisconnected);
}

TYPED_TEST(StreamableSessionTest, ARefusedInitializeOpensNoSession) {
  this->client_->request(0, "initialize");
  ASSERT_TRUE(this->world_.run_until([&] { return !this->served_.empty(); }));
  this->server().channel->send(
      {{"jsonrpc", "2.0"}, {"id", 0}, {"error", {{"code", -32602}, {"message", "no"}}}});
  ASSERT_TRUE(this->world_.run_until([&] { return this->answered(0); }));
  ASSERT_TRUE(this->world_.run_until([&] { return this->server().closed; }));
  EXPECT_EQ(this->server_->sessions(), 0U);
}

TYPED_TEST(StreamableSessionTest, ABatchIsPostedAndAnsweredAsOne) {
  ASSERT_NO_FATAL_FAILURE(this->open_session("2025-03-26"));
  this->client_->channel->send(Json::array({{{"jsonrpc", "2.0"}, {"id", 1}, {"method", "ping"}},
                                            {{"jsonrpc", "2.0"}, {"id", 2}, {"method", "ping"}}}));
  ASSERT_TRUE(this->world_.run_until([&] { return this->server().messages.back().is_array(); }));
  this->server().channel->send(Json::array({{{"jsonrpc", "2.0"}, {"id", 1}, {"result", 1}},
                                            {{"jsonrpc", "2.0"}, {"id", 2}, {"result", 2}}}));
  ASSERT_TRUE(this->world_.run_until([&] { return this->client_->messages.back().is_array(); }));
  EXPECT_EQ(this->client_->messages.back().size(), 2U);
  this->world_.settle();
  EXPECT_TRUE(this->client_->lost.empty());
}

TYPED_TEST(StreamableSessionTest, AServerThatIsGoneClosesTheChannel) {
  ASSERT_NO_FATAL_FAILURE(this->open_session());
  this->listener_.reset();
  this->http_server_.reset();
  this->client_->request(1, "tools/list");
  ASSERT_TRUE(this->world_.run_until([&] { return this->client_->closed; }));
  EXPECT_EQ(this->client_->error->code, ErrorCode::kDisconnected);
}

// With a bad network: every connection breaks after some bytes.
class StreamableFaultTest : public StreamableTest<CutSimWorld> {};

TEST_F(StreamableFaultTest, WhatABrokenGetStreamMissedIsReplayedOnce) {
  ASSERT_NO_FATAL_FAILURE(open_session());
  int links = 0;
  world_.network.on_link([&](const net::Authority&, fakes::SimPipe& ours, fakes::SimPipe&) {
    if (++links % 2 == 1) ours.reset_after(700);
  });
  server().notify("notifications/n", {{"n", 0}});
  world_.settle();
  open_door();
  for (int n = 1; n <= 30; ++n) {
    server().notify("notifications/n", {{"n", n}});
    world_.run_for(milliseconds(200));
  }
  world_.run_for(seconds(20));
  std::vector<int> seen;
  for (const Json& message : client_->messages) {
    if (message.contains("method")) seen.push_back(message["params"]["n"].get<int>());
  }
  ASSERT_EQ(seen.size(), 31U);
  for (int n = 0; n <= 30; ++n) EXPECT_EQ(seen[static_cast<std::size_t>(n)], n);
}

TEST_F(StreamableFaultTest, AnAnswerThatIsLostWithItsConnectionIsReported) {
  ASSERT_NO_FATAL_FAILURE(open_session());
  client_->request(1, "tools/call");
  ASSERT_TRUE(world_.run_until([&] { return heard("tools/call"); }));
  open_door();
  ASSERT_TRUE(world_.run_until([&] { return !client_->lost.empty(); }));
  EXPECT_EQ(client_->lost[0].first, "1");
  EXPECT_EQ(client_->lost[0].second.code, ErrorCode::kDisconnected);
  EXPECT_FALSE(client_->closed);
  EXPECT_FALSE(server().closed);
}

class StreamableIdleTest : public StreamableTest<WholeSimWorld> {};

TEST_F(StreamableIdleTest, ASessionThatNobodyUsesExpires) {
  ASSERT_NO_FATAL_FAILURE(open_session());
  world_.run_for(limits::kHttpSessionIdleMax * 2);
  EXPECT_EQ(server_->sessions(), 1U) << "its GET stream is open";
  client_.reset();
  world_.run_for(limits::kHttpSessionIdleMax - seconds(1));
  EXPECT_FALSE(server().closed);
  world_.run_for(seconds(2));
  EXPECT_TRUE(server().closed);
  EXPECT_EQ(server_->sessions(), 0U);
}

TEST_F(StreamableIdleTest, AQuietStreamSaysSomethingNowAndThen) {
  options_.session.keep_alive = seconds(15);
  restart();
  connect();
  ASSERT_NO_FATAL_FAILURE(open_session());
  world_.run_for(std::chrono::minutes(10));
  server().notify("notifications/after");
  world_.settle();
  EXPECT_NE(client_->find_method("notifications/after"), nullptr);
  EXPECT_EQ(spy_.of("GET").size(), 1U);
  EXPECT_TRUE(client_->garbage.empty());
}

}  // namespace
}  // namespace plumbline::transports_test
