#include <gtest/gtest.h>

#include "core/mcp/client/client_engine.h"
#include "core/mcp/client/client_engine_fixture.h"

namespace plumbline::mcp {
namespace {

using std::chrono::seconds;
using Kind = Failure::Kind;

class ClientEngineAskedTest : public ClientEngineTest {
 protected:
  // Declares everything.
  static ClientOptions willing() {
    const PeerHandler handler = answer_at_once([](const Json&) { return Json::object(); });
    ClientOptions options;
    options.on_list_roots = handler;
    options.on_sample = handler;
    options.on_elicit = handler;
    return options;
  }

  // The error code of the only message sent.
  std::int64_t sent_code() {
    if (sent_.size() != 1) return 0;
    const Json message = json(sent_[0]);
    const Json* const code = at_pointer(message, "/error/code");
    return code ? code->get<std::int64_t>() : 0;
  }
};

TEST_F(ClientEngineAskedTest, APingIsAnsweredAtOnceEvenWhileOpening) {
  make();
  engine_->open(at(0), kDeadline);
  take();
  hear(R"({"jsonrpc":"2.0","id":"p","method":"ping"})");
  take();
  EXPECT_EQ(sent_, Lines{R"({"id":"p","jsonrpc":"2.0","result":{}})"});
  EXPECT_TRUE(violations_.empty());
}

TEST_F(ClientEngineAskedTest, OtherRequestsHaveToWaitForTheOpening) {
  make(willing());
  engine_->open(at(0), kDeadline);
  take();
  hear(R"({"jsonrpc":"2.0","id":1,"method":"roots/list"})");
  take();
  EXPECT_EQ(sent_code(), rpc::kInvalidRequest);
  EXPECT_EQ(violations_.size(), 1U);
  EXPECT_EQ(engine_->waiting(), 1U);  // Ids of the two directions have nothing to do with another.
}

TEST_F(ClientEngineAskedTest, DeclaredRequestsAreSurfacedAndAnsweredOnce) {
  make(willing());
  open();
  hear(R"({"jsonrpc":"2.0","id":"1","method":"sampling/createMessage","params":{"a":1}})");
  take();
  ASSERT_EQ(asked_.size(), 1U);
  EXPECT_EQ(asked_[0].method, "sampling/createMessage");
  EXPECT_EQ(asked_[0].params, json(R"({"a":1})"));
  engine_->answer(asked_[0].id, json(R"({"b":2})"));
  engine_->answer(asked_[0].id, json(R"({"b":3})"));
  take();
  EXPECT_EQ(sent_, Lines{R"({"id":"1","jsonrpc":"2.0","result":{"b":2}})"});
}

TEST_F(ClientEngineAskedTest, AHandlersFailureBecomesAnError) {
  make(willing());
  open();
  hear(R"({"jsonrpc":"2.0","id":1,"method":"roots/list"})");
  hear(R"({"jsonrpc":"2.0","id":2,"method":"roots/list"})");
  engine_->answer(rpc::RpcId(1), Failure(rpc::kRejectedByUser, "rejected"));
  engine_->answer(rpc::RpcId(2), Failure(Kind::kTimeout, "too slow"));
  take();
  EXPECT_EQ(sent_[0], R"({"error":{"code":-1,"message":"rejected"},"id":1,"jsonrpc":"2.0"})");
  EXPECT_EQ(sent_[1], R"({"error":{"code":-32603,"message":"too slow"},"id":2,"jsonrpc":"2.0"})");
}

TEST_F(ClientEngineAskedTest, WhatWasNotDeclaredIsRefused) {
  open();
  for (const char* method : {"roots/list", "sampling/createMessage", "elicitation/create"}) {
    hear(R"({"jsonrpc":"2.0","id":7,"method":")" + std::string(method) + "\"}");
    take();
    EXPECT_EQ(sent_code(), rpc::kMethodNotFound) << method;
    EXPECT_EQ(violations_.size(), 1U);
  }
  hear(R"({"jsonrpc":"2.0","id":7,"method":"vendor/thing"})");
  take();
  EXPECT_EQ(sent_code(), rpc::kMethodNotFound);
  EXPECT_TRUE(violations_.empty());
}

TEST_F(ClientEngineAskedTest, ElicitationDoesNotExistInOldRevisions) {
  make(willing());
  open("2025-03-26");
  hear(R"({"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"?"}})");
  take();
  EXPECT_EQ(sent_code(), rpc::kMethodNotFound);
}

TEST_F(ClientEngineAskedTest, UndeclaredModesAndToolsAreInvalidParams) {
  make(willing());
  open();
  hear(R"({"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"mode":"url"}})");
  take();
  EXPECT_EQ(sent_code(), rpc::kInvalidParams);
  hear(R"({"jsonrpc":"2.0","id":8,"method":"sampling/createMessage","params":{"tools":[]}})");
  take();
  EXPECT_EQ(sent_code(), rpc::kInvalidParams);
  hear(R"({"jsonrpc":"2.0","id":9,"method":"elicitation/create","params":{"mode":"form"}})");
  take();
  EXPECT_EQ(asked_.size(), 1U);

  ClientOptions more = willing();
  more.url_elicitation = true;
  more.sampling_tools = true;
  make(more);
  open();
  hear(R"({"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"mode":"url"}})");
  hear(R"({"jsonrpc":"2.0","id":8,"method":"sampling/createMessage","params":{"tools":[]}})");
  take();
  EXPECT_EQ(asked_.size(), 2U);
}

TEST_F(ClientEngineAskedTest, ARequestTakenBackIsNotAnswered) {
  make(willing());
  open();
  hear(R"({"jsonrpc":"2.0","id":7,"method":"roots/list"})");
  hear(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"7"}})");
  hear(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})");
  hear(R"({"jsonrpc":"2.0","method":"notifications/cancelled"})");
  take();
  engine_->answer(rpc::RpcId(7), Json::object());
  take();
  EXPECT_TRUE(sent_.empty() && violations_.empty());
}

TEST_F(ClientEngineAskedTest, AnIdUsedTwiceAtATimeIsAViolation) {
  make(willing());
  open();
  hear(R"({"jsonrpc":"2.0","id":7,"method":"roots/list"})");
  hear(R"({"jsonrpc":"2.0","id":7,"method":"roots/list"})");
  take();
  EXPECT_EQ(asked_.size(), 1U);
  EXPECT_EQ(violations_, Lines{"request id 7 is used twice at a time"});
}

TEST_F(ClientEngineAskedTest, BrokenRequestsAreAnsweredWhenTheirIdIsReadable) {
  open();
  hear(R"({"jsonrpc":"2.0","id":7,"method":7})");
  take();
  EXPECT_EQ(sent_code(), rpc::kInvalidRequest);
  hear(R"({"jsonrpc":"2.0","id":null,"method":"ping"})");
  hear("7");
  hear("\"text\"");
  engine_->garbage("x", "not JSON at line 1 column 1", at(1));
  take();
  EXPECT_TRUE(sent_.empty());
  EXPECT_EQ(violations_.size(), 4U);
}

TEST_F(ClientEngineAskedTest, AnAnswerOfWhichOnlyTheIdCanBeReadEndsItsCallAtOnce) {
  open();
  const std::int64_t first = call("tools/call", json(R"({"name":"t"})"));
  const std::int64_t second = call("tools/list");
  take();
  const std::string id = std::to_string(first);
  engine_->garbage("{\"result\":{\"text\":\"\xff\"},\"id\":" + id + "}", "not UTF-8", at(2));
  take();
  EXPECT_EQ(outcome(), "invalid_reply: the answer to tools/call cannot be used: not UTF-8");
  hear(R"({"jsonrpc":"2.0","result":{},"error":{"code":1,"message":"x"},"id":)" +
       std::to_string(second) + "}");
  take();
  EXPECT_EQ(
      outcome(),
      "invalid_reply: the answer to tools/list cannot be used: both result and error are there");
  engine_->garbage("{\"result\":\"\xff\",\"id\":" + id + "}", "not UTF-8", at(2));
  engine_->garbage("{\"method\":\"\xff\",\"id\":99}", "not UTF-8", at(2));
  take();
  EXPECT_TRUE(ended_.empty() && sent_.empty()) << "nobody waits for these";
}

TEST_F(ClientEngineAskedTest, AnOpeningWithAnUnreadableAnswerEndsAtOnce) {
  make();
  engine_->open(at(0), kDeadline);
  take();
  engine_->garbage("{\"id\":1,\"result\":\"\xff\"}", "not UTF-8", at(1));
  take();
  EXPECT_EQ(outcome(), "invalid_reply: the answer to initialize cannot be used: not UTF-8");
  EXPECT_TRUE(engine_->closed());
}

TEST_F(ClientEngineAskedTest, NotificationsAreSurfacedAndNeverAnswered) {
  open();
  hear(R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info"}})");
  hear(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
  hear(R"({"jsonrpc":"2.0","method":"notifications/unheard_of"})");
  take();
  EXPECT_EQ(notified_, (Lines{"notifications/message", "notifications/tools/list_changed",
                              "notifications/unheard_of"}));
  EXPECT_TRUE(sent_.empty() && violations_.empty());
}

class ClientEngineProgressTest : public ClientEngineTest {
 protected:
  void start(ClientOptions options) {
    options.ask_for_progress = true;
    make(std::move(options));
    open();
    call("tools/call", json(R"({"name":"a"})"), at(11));
    take();
  }

  void progress(const std::string& token, const std::string& value, Instant now = at(2)) {
    hear(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" +
             token + R"(,"progress":)" + value + "}}",
         now);
    take();
  }
};

TEST_F(ClientEngineProgressTest, TheTokenIsTheRequestId) {
  start(ClientOptions());
  EXPECT_EQ(engine_->waiting(), 1U);
  progress("2", "0.5");
  progress("2", "1.5");
  EXPECT_EQ(notified_, Lines{"notifications/progress"});
  EXPECT_TRUE(violations_.empty());
}

TEST_F(ClientEngineProgressTest, ReportsThatDoNotFitAreViolations) {
  start(ClientOptions());
  progress("2", "1");
  for (const char* value : {"1", "0.5", "-1"}) {
    progress("2", value);
    EXPECT_EQ(violations_, Lines{"progress of token 2 does not increase"});
    EXPECT_TRUE(notified_.empty());
  }
  for (const char* token : {"3", "\"2\"", "\"x\""}) {
    progress(token, "9");
    EXPECT_EQ(violations_.size(), 1U) << token;
  }
  progress("null", "9");
  EXPECT_EQ(violations_.size(), 1U);
  progress("2", "\"9\"");
  EXPECT_EQ(violations_.size(), 1U);
}

TEST_F(ClientEngineProgressTest, AfterTheEndNoMoreIsSurfaced) {
  start(ClientOptions());
  engine_->cancel(2, "");
  progress("2", "1");
  EXPECT_TRUE(notified_.empty() && violations_.empty());  // It may have crossed the cancel.
  call("tools/call", json(R"({"name":"a"})"));
  hear(R"({"jsonrpc":"2.0","id":3,"result":{"content":[]}})");
  take();
  progress("3", "1");
  EXPECT_EQ(violations_, Lines{"progress for token 3, which is not active"});
}

TEST_F(ClientEngineProgressTest, ProgressMovesNoDeadlineUnlessAsked) {
  start(ClientOptions());
  progress("2", "1", at(10));
  EXPECT_EQ(engine_->next_deadline(), at(11));
}

TEST_F(ClientEngineProgressTest, ProgressMovesTheDeadlineUpToTheBound) {
  ClientOptions options;
  options.extend_on_progress = seconds(10);
  options.extended_total_max = seconds(20);
  start(options);
  progress("2", "1", at(5));
  EXPECT_EQ(engine_->next_deadline(), at(15));
  progress("2", "2", at(14));
  EXPECT_EQ(engine_->next_deadline(), at(21));
  progress("2", "3", at(20));
  EXPECT_EQ(engine_->next_deadline(), at(21));
  engine_->tick(at(21));
  take();
  EXPECT_EQ(outcome(), "timeout: tools/call was not answered in 20000 ms");
}

TEST_F(ClientEngineProgressTest, ACallersOwnTokenIsKept) {
  start(ClientOptions());
  call("tools/call", json(R"({"name":"a","_meta":{"progressToken":"mine"}})"));
  take();
  EXPECT_NE(sent_[0].find(R"("progressToken":"mine")"), std::string::npos);
  progress("\"mine\"", "1");
  EXPECT_EQ(notified_.size(), 1U);
}

TEST_F(ClientEngineAskedTest, AnAnswerNamesTheTaskOfItsQuestion) {
  make(willing());
  open();
  hear(R"({"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"?",
      "_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t"}}}})");
  take();
  engine_->answer(rpc::RpcId("q"), json(R"({"action":"decline"})"));
  take();
  EXPECT_EQ(sent_, Lines{R"({"id":"q","jsonrpc":"2.0","result":{"_meta":{)"
                         R"("io.modelcontextprotocol/related-task":{"taskId":"t"}},)"
                         R"("action":"decline"}})"});
}

}  // namespace
}  // namespace plumbline::mcp
