// Handlers that ask the client, in both kinds of revision; clients whose handlers take their time;
// subscriptions and caching between two sessions.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/wait.h"
#include "core/mcp/both_sides/value_link_fixture.h"
#include "core/mcp/client/client_session.h"
#include "core/mcp/protocol/test_values.h"
#include "core/mcp/server/server_session.h"

namespace plumbline::mcp {
namespace {

using std::chrono::seconds;

Json text_result(std::string text) {
  Json result = json(R"({"content":[{"type":"text"}]})");
  result["content"][0]["text"] = std::move(text);
  return result;
}

std::string text_of(const Reply<Json>& reply) {
  if (!reply.ok()) return std::string(name_of(reply.error().kind)) + ": " + reply.error().message;
  const Json* const text = at_pointer(reply.value(), "/content/0/text");
  return text ? text->get<std::string>() : "no text";
}

// interview asks two questions, one after the other.
Task<Reply<Json>> interview(ServerCall call, Instant deadline) {
  Json name = json(R"({"message":"name?","requestedSchema":{"type":"object","properties":{}}})");
  Json age = json(R"({"message":"age?","requestedSchema":{"type":"object","properties":{}}})");
  Reply<Json> first = co_await call.ask("name", "elicitation/create", std::move(name), deadline);
  if (!first.ok()) co_return std::move(first);
  Reply<Json> second = co_await call.ask("age", "elicitation/create", std::move(age), deadline);
  if (!second.ok()) co_return std::move(second);
  co_return text_result(dump_json(first.value()) + dump_json(second.value()));
}

Task<Reply<Json>> both_at_once(ServerCall call, Instant deadline) {
  std::vector<Ask> asks;
  Json form = json(R"({"message":"?","requestedSchema":{"type":"object","properties":{}}})");
  asks.push_back(Ask{"form", "elicitation/create", std::move(form)});
  asks.push_back(Ask{"roots", "roots/list", nullptr});
  Reply<Json> answers = co_await call.ask_all(std::move(asks), deadline);
  if (!answers.ok()) co_return std::move(answers);
  co_return text_result(dump_json(answers.value()));
}

Task<Reply<Json>> slow_answer(Loop& loop, int& at_work, Duration delay) {
  ++at_work;
  co_await Sleep(loop, loop.now() + delay);
  --at_work;
  co_return json(R"({"action":"decline"})");
}

class SessionInputTest : public testing::TestWithParam<Revision> {
 protected:
  void TearDown() override { EXPECT_EQ(judge_.problems(), Lines()); }

  void connect(ClientOptions client) {
    client_.reset();
    server_.reset();
    link_ = std::make_unique<ValueLink>(loop_, &judge_);
    commons_.options.secret = "0123456789abcdef";
    for (const char* name : {"interview", "both"}) {
      commons_.options.tools.push_back(json(R"({"inputSchema":{"type":"object"}})"));
      commons_.options.tools.back()["name"] = name;
    }
    commons_.options.resources = {json(R"({"uri":"file:///a","name":"a"})")};
    commons_.options.subscribe = true;
    commons_.options.logging = true;
    commons_.handlers.set("tools/call", "interview", [this](ServerCall call) {
      ++runs_;
      return interview(std::move(call), loop_.now() + seconds(9));
    });
    commons_.handlers.set("tools/call", "both", [this](ServerCall call) {
      return both_at_once(std::move(call), loop_.now() + seconds(9));
    });
    commons_.handlers.set("resources/read", "", at_once([this](const Json&) {
                            ++runs_;
                            return json(R"({"contents":[{"uri":"file:///a","text":"x"}]})");
                          }));
    client.preferred = GetParam();
    client.on_notified = [this](std::string_view method, const Json&) {
      heard_.emplace_back(method);
    };
    client.on_subscription_ended = [this](std::int64_t, const Reply<Json>& end) {
      heard_.emplace_back(end.ok() ? "ended" : "broken off");
    };
    server_ = std::make_unique<ServerSession>(loop_, link_->server, commons_, "server", nullptr);
    client_ =
        std::make_unique<ClientSession>(loop_, link_->client, std::move(client), "client", nullptr);
    Task<Reply<ServerInfo>> opened = client_->initialize(soon());
    opened.start();
    loop_.run_until(loop_.now() + seconds(1));
    ASSERT_TRUE(opened.done() && opened.result().ok());
    ASSERT_EQ(client_->server().revision, GetParam());
  }

  Instant soon() const { return loop_.now() + seconds(30); }

  template <typename T>
  T wait(Task<T> task) {
    task.start();
    loop_.run_until(loop_.now() + seconds(40));
    check(task.done(), "a task did not end");
    return std::move(task.result());
  }

  std::string call_tool(const std::string& tool) {
    return text_of(wait(client_->call_tool(tool, Json::object(), soon())));
  }

  TinyLoop loop_;
  WireJudge judge_;
  std::unique_ptr<ValueLink> link_;
  ServerCommons commons_;
  int runs_ = 0;
  Lines heard_;
  std::unique_ptr<ServerSession> server_;
  std::unique_ptr<ClientSession> client_;
};

INSTANTIATE_TEST_SUITE_P(Eras, SessionInputTest, testing::Values(kLatestStateful, kLatest),
                         [](const auto& which) {
                           return is_stateless(which.param) ? "Stateless" : "Stateful";
                         });

TEST_P(SessionInputTest, AHandlerAsksInTheSameWayInBothEras) {
  ClientOptions options;
  int asked = 0;
  options.on_elicit = answer_at_once([&asked](const Json& params) {
    ++asked;
    Json answer = json(R"({"action":"accept","content":{}})");
    answer["content"]["to"] = string_or(params, "message", "");
    return answer;
  });
  options.on_list_roots = answer_at_once([](const Json&) { return json(R"({"roots":[]})"); });
  connect(options);
  EXPECT_EQ(call_tool("interview"), R"({"action":"accept","content":{"to":"name?"}})"
                                    R"({"action":"accept","content":{"to":"age?"}})");
  EXPECT_EQ(asked, 2);  // Each question once, however often the handler has run.
  EXPECT_EQ(runs_, is_stateless(GetParam()) ? 3 : 1);
  EXPECT_EQ(call_tool("both"), R"({"form":{"action":"accept","content":{"to":"?"}},)"
                               R"("roots":{"roots":[]}})");
  EXPECT_EQ(server_->running(), 0U);
  EXPECT_TRUE(loop_.idle());
  EXPECT_EQ(client_->violations() + server_->violations(), 0);
}

TEST_P(SessionInputTest, AMissingCapabilityIsAnErrorAndNoQuestion) {
  connect({});
  const Reply<Json> reply = wait(client_->call_tool("interview", Json::object(), soon()));
  ASSERT_FALSE(reply.ok());
  const std::int64_t code =
      is_stateless(GetParam()) ? rpc::kMissingClientCapability : rpc::kInternalError;
  EXPECT_EQ(reply.error().code, code);
}

TEST_P(SessionInputTest, AClientsHandlerMayTakeItsTime) {
  ClientOptions options;
  int at_work = 0;
  options.on_elicit = [&](Json) { return slow_answer(loop_, at_work, seconds(2)); };
  connect(options);
  const Instant start = loop_.now();
  Task<Reply<Json>> call = client_->call_tool("interview", Json::object(), soon());
  call.start();
  loop_.run_until(start + seconds(3));
  EXPECT_FALSE(call.done());
  EXPECT_EQ(at_work, 1);
  loop_.run_until(start + seconds(4));
  ASSERT_TRUE(call.done());
  EXPECT_EQ(text_of(call.result()), R"({"action":"decline"}{"action":"decline"})");
}

TEST_P(SessionInputTest, ACallThatIsDroppedStopsItsHandlers) {
  ClientOptions options;
  int at_work = 0;
  options.on_elicit = [&](Json) { return slow_answer(loop_, at_work, std::chrono::hours(9)); };
  connect(options);
  {
    Task<Reply<Json>> call = client_->call_tool("interview", Json::object(), soon());
    call.start();
    loop_.run_until(loop_.now() + seconds(1));
    EXPECT_EQ(at_work, 1);
  }
  loop_.run_until(loop_.now() + seconds(20));
  EXPECT_TRUE(loop_.idle());  // The nine hours are gone on both sides.
}

TEST_P(SessionInputTest, AFailureOfAHandlerEndsTheCall) {
  ClientOptions options;
  options.on_elicit =
      answer_at_once([](const Json&) { return Failure(rpc::kRejectedByUser, "not now"); });
  connect(options);
  EXPECT_NE(call_tool("interview").find("not now"), std::string::npos);
}

TEST_P(SessionInputTest, SubscriptionsTellWhatWasAskedFor) {
  connect({});
  const Reply<ClientSession::Subscription> open = wait(client_->listen(
      json(R"({"toolsListChanged":true,"resourceSubscriptions":["file:///a"]})"), soon()));
  if (!is_stateless(GetParam())) {
    EXPECT_EQ(open.error().kind, Failure::Kind::kRefused);
    return;
  }
  ASSERT_TRUE(open.ok());
  EXPECT_EQ(dump_json(open.value().honoured),
            R"({"resourceSubscriptions":["file:///a"],"toolsListChanged":true})");
  server_->list_changed("tools");
  server_->list_changed("prompts");
  server_->resource_updated("file:///a");
  loop_.run_until(loop_.now() + seconds(99));
  EXPECT_EQ(heard_, (Lines{"notifications/tools/list_changed", "notifications/resources/updated"}));
  client_->unlisten(open.value().id);
  loop_.run_until(loop_.now() + seconds(1));
  EXPECT_EQ(server_->subscriptions(), 0U);
  EXPECT_EQ(heard_.back(), "broken off");
  wait(client_->listen(json("{}"), soon())).value();
  server_->close();
  loop_.run_until(loop_.now() + seconds(1));
  EXPECT_EQ(heard_.back(), "ended");
  EXPECT_EQ(client_->violations() + server_->violations(), 0);
}

TEST_P(SessionInputTest, WhatIsFreshIsNotAskedAgain) {
  commons_.options.resource_cache.ttl = seconds(5);
  connect({});
  EXPECT_TRUE(wait(client_->read_resource("file:///a", soon())).ok());  // Takes 40 s.
  EXPECT_TRUE(wait(client_->read_resource("file:///a", soon())).ok());
  EXPECT_EQ(runs_, 2);
  Task<Reply<Json>> again = client_->read_resource("file:///a", soon());
  again.start();
  loop_.run_until(loop_.now() + seconds(1));
  Task<Reply<Json>> soon_after = client_->read_resource("file:///a", soon());
  soon_after.start();
  EXPECT_EQ(soon_after.done(), is_stateless(GetParam()));
  loop_.run_until(loop_.now() + seconds(1));
  EXPECT_EQ(runs_, is_stateless(GetParam()) ? 3 : 4);
}

Task<Reply<Json>> chatty(ServerCall call) {
  call.log("info", "", 1);
  call.log("error", "", 2);
  co_return text_result("done");
}

TEST_P(SessionInputTest, TheLogLevelIsSetInBothEras) {
  connect({});
  commons_.handlers.set("tools/call", "both", chatty);
  EXPECT_TRUE(wait(client_->set_logging_level("error", soon())).ok());
  EXPECT_EQ(call_tool("both"), "done");
  EXPECT_EQ(heard_, Lines{"notifications/message"});
}

}  // namespace
}  // namespace plumbline::mcp
