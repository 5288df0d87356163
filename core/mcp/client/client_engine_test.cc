#include "core/mcp/client/client_engine.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/mcp/client/client_engine_fixture.h"

namespace plumbline::mcp {
namespace {

using Kind = Failure::Kind;
// --- The opening.

TEST_F(ClientEngineTest, InitializeAsksForTheNewestRevision) {
  make();
  EXPECT_EQ(engine_->open(at(0), kDeadline), 1);
  take();
  EXPECT_EQ(sent_,
            Lines{R"({"id":1,"jsonrpc":"2.0","method":"initialize","params":{"capabilities":{},)"
                  R"("clientInfo":{"name":"plumbline","version":"0.1"},)"
                  R"("protocolVersion":"2025-11-25"}})"});
}

TEST_F(ClientEngineTest, AnAcceptedInitializeIsConfirmedBeforeItEnds) {
  make();
  engine_->open(at(0), kDeadline);
  take();
  hear(R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"x":1},
       "serverInfo":{"name":"files","version":"2"},"instructions":"be kind"}})");
  take();
  EXPECT_EQ(sent_, Lines{R"({"jsonrpc":"2.0","method":"notifications/initialized"})"});
  EXPECT_EQ(outcome(), "null");
  EXPECT_EQ(engine_->server().name, "files");
  EXPECT_EQ(engine_->server().version, "2");
  EXPECT_EQ(engine_->server().instructions, "be kind");
  EXPECT_EQ(engine_->server().revision, Revision::k2025_11_25);
}

TEST_F(ClientEngineTest, ACounterOfferIsAcceptedWhenSupported) {
  for (const Revision revision : all_revisions()) {
    if (is_stateless(revision)) continue;
    engine_.reset();
    open(name_of(revision));
    EXPECT_EQ(engine_->server().revision, revision);
  }
}

TEST_F(ClientEngineTest, ACounterOfferThatWeDoNotSpeakEndsTheConversation) {
  ClientOptions options;
  options.supported = {Revision::k2025_06_18};
  for (const char* version : {"2024-11-05", "1.0", "2026-07-28"}) {
    make(options);
    engine_->open(at(0), kDeadline);
    take();
    hear(R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":")" + std::string(version) +
         R"(","capabilities":{},"serverInfo":{"name":"s","version":"1"}}})");
    take();
    EXPECT_TRUE(sent_.empty());
    EXPECT_EQ(ended_[0].reply.error().kind, Kind::kRefused);
    EXPECT_NE(closed_.find(version), std::string::npos) << closed_;
    EXPECT_TRUE(engine_->closed());
  }
}

TEST_F(ClientEngineTest, AnOpeningWithoutItsPartsIsInvalid) {
  for (const char* result :
       {R"(7)", R"({})", R"({"protocolVersion":1})", R"({"protocolVersion":"2025-11-25"})",
        R"({"protocolVersion":"2025-11-25","capabilities":{}})",
        R"({"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x"}})"}) {
    make();
    engine_->open(at(0), kDeadline);
    take();
    hear(R"({"jsonrpc":"2.0","id":1,"result":)" + std::string(result) + "}");
    take();
    EXPECT_EQ(ended_[0].reply.error().kind, Kind::kInvalidReply) << result;
    EXPECT_EQ(violations_.size(), 1U);
    EXPECT_FALSE(closed_.empty());
  }
}

TEST_F(ClientEngineTest, ARefusedInitializeEndsTheConversation) {
  make();
  engine_->open(at(0), kDeadline);
  take();
  hear(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}})");
  take();
  EXPECT_EQ(outcome(), "rpc: no");
  EXPECT_EQ(closed_, "the server refused initialize");
}

TEST_F(ClientEngineTest, InitializeIsNeverCancelledOnTheWire) {
  make();
  engine_->open(at(0), kDeadline);
  take();
  engine_->tick(kDeadline);
  take();
  EXPECT_TRUE(sent_.empty());
  EXPECT_EQ(outcome(), "timeout: initialize was not answered in 30000 ms");
  EXPECT_FALSE(closed_.empty());

  make();
  engine_->open(at(0), kDeadline);
  take();
  engine_->cancel(1, "why");
  take();
  EXPECT_TRUE(sent_.empty());
  EXPECT_EQ(outcome(), "cancelled: initialize was cancelled");
  EXPECT_FALSE(closed_.empty());
}

TEST_F(ClientEngineTest, BeforeInitializeIsAnsweredOnlyPingMayGo) {
  make();
  EXPECT_EQ(refused("ping").kind, Kind::kRefused);
  engine_->open(at(0), kDeadline);
  EXPECT_EQ(refused("tools/list").kind, Kind::kRefused);
  EXPECT_EQ(call("ping"), 2);
}

TEST_F(ClientEngineTest, CapabilitiesAreDeclaredAsTheHandlersAreSet) {
  ClientOptions options;
  const PeerHandler handler = answer_at_once([](const Json&) { return Json::object(); });
  options.on_list_roots = handler;
  options.on_sample = handler;
  options.on_elicit = handler;
  const auto declared = [&] {
    make(options);
    engine_->open(at(0), kDeadline);
    take();
    return dump_json(*at_pointer(json(sent_[0]), "/params/capabilities"));
  };
  EXPECT_EQ(declared(), R"({"elicitation":{},"roots":{"listChanged":true},"sampling":{}})");
  options.url_elicitation = true;
  options.sampling_tools = true;
  options.roots_list_changed = false;
  EXPECT_EQ(declared(),
            R"({"elicitation":{"form":{},"url":{}},"roots":{},"sampling":{"tools":{}}})");
  options.preferred = Revision::k2025_06_18;
  EXPECT_EQ(declared(), R"({"elicitation":{},"roots":{},"sampling":{}})");
  options.preferred = Revision::k2025_03_26;
  EXPECT_EQ(declared(), R"({"roots":{},"sampling":{}})");
}

// --- Requests and their one end.

TEST_F(ClientEngineTest, AnAnswerEndsItsRequestWhateverTheOrder) {
  open();
  EXPECT_EQ(call("tools/call", json(R"({"name":"a"})")), 2);
  EXPECT_EQ(call("ping"), 3);
  take();
  EXPECT_EQ(sent_[0], R"({"id":2,"jsonrpc":"2.0","method":"tools/call","params":{"name":"a"}})");
  EXPECT_EQ(sent_[1], R"({"id":3,"jsonrpc":"2.0","method":"ping"})");
  hear(R"({"jsonrpc":"2.0","id":3,"result":{}})");
  take();
  EXPECT_EQ(ended_[0].id, 3);
  EXPECT_EQ(outcome(), "{}");
  hear(R"({"jsonrpc":"2.0","id":2,"result":{"content":[]}})");
  take();
  EXPECT_EQ(ended_[0].id, 2);
  EXPECT_EQ(ended_[0].method, "tools/call");
  EXPECT_EQ(engine_->waiting(), 0U);
}

TEST_F(ClientEngineTest, AnErrorAnswerCarriesCodeMessageAndData) {
  open();
  call("ping");
  hear(R"({"jsonrpc":"2.0","id":2,"error":{"code":-32002,"message":"gone","data":{"uri":"x"}}})");
  take();
  EXPECT_EQ(outcome(), "rpc: gone");
  EXPECT_EQ(ended_[0].reply.error().code, -32002);
  EXPECT_EQ(ended_[0].reply.error().data, json(R"({"uri":"x"})"));
  EXPECT_TRUE(violations_.empty());
}

TEST_F(ClientEngineTest, ASecondAnswerIsAViolationAndEndsNothing) {
  open();
  call("ping");
  call("ping");
  hear(R"({"jsonrpc":"2.0","id":2,"result":{}})");
  take();
  hear(R"({"jsonrpc":"2.0","id":2,"result":{}})");
  hear(R"({"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"x"}})");
  take();
  EXPECT_TRUE(ended_.empty());
  EXPECT_EQ(violations_.size(), 2U);
  EXPECT_EQ(violations_[0], "a second answer to request 2");
  EXPECT_EQ(engine_->waiting(), 1U);
}

TEST_F(ClientEngineTest, AnAnswerWithAnotherIdEndsNothing) {
  open();
  call("ping");
  take();
  for (const char* id : {"\"2\"", "3", "0", "-2", "\"x\"", "9007199254740993"}) {
    hear(R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"result":{}})");
    take();
    EXPECT_TRUE(ended_.empty());
    EXPECT_EQ(violations_,
              Lines{"an answer to request " + std::string(id) + ", which was never sent"});
  }
  EXPECT_EQ(engine_->violations(), 6);
}

TEST_F(ClientEngineTest, ABrokenAnswerEndsItsRequestAsInvalid) {
  open();
  for (const char* rest : {R"("result":{},"error":{"code":1,"message":"x"}})", R"("error":7})",
                           R"("error":{"code":1.5,"message":"x"}})", R"("result":[]})"}) {
    const std::int64_t id = call("ping");
    take();
    hear(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + "," + rest);
    take();
    EXPECT_EQ(ended_.at(0).reply.error().kind, Kind::kInvalidReply) << rest;
    EXPECT_EQ(violations_.size(), 1U) << rest;
  }
}

TEST_F(ClientEngineTest, AnErrorWithoutIdEndsNothing) {
  open();
  call("ping");
  hear(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad JSON"}})");
  hear(R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"bad JSON"}})");
  take();
  EXPECT_TRUE(ended_.empty());
  EXPECT_EQ(violations_.size(), 2U);
}

TEST_F(ClientEngineTest, ARequestTimesOutAtItsDeadlineAndIsCancelled) {
  open();
  call("tools/call", json(R"({"name":"a"})"), at(11));
  take();
  EXPECT_EQ(engine_->next_deadline(), at(11));
  engine_->tick(at(6));
  engine_->tick(at(11) - Duration(1));
  take();
  EXPECT_TRUE(ended_.empty());
  engine_->tick(at(11));
  take();
  EXPECT_EQ(outcome(), "timeout: tools/call was not answered in 10000 ms");
  EXPECT_EQ(sent_, Lines{R"({"jsonrpc":"2.0","method":"notifications/cancelled",)"
                         R"("params":{"reason":"timed out","requestId":2}})"});
  EXPECT_EQ(engine_->next_deadline(), kNever);
}

TEST_F(ClientEngineTest, ALateAnswerIsDroppedAndCountedOnce) {
  open();
  call("ping", nullptr, at(11));
  engine_->tick(at(11));
  take();
  hear(R"({"jsonrpc":"2.0","id":2,"result":{}})");
  take();
  EXPECT_TRUE(ended_.empty() && violations_.empty());
  EXPECT_EQ(engine_->late_replies(), 1);
  hear(R"({"jsonrpc":"2.0","id":2,"result":{}})");
  take();
  EXPECT_EQ(violations_, Lines{"a second answer to request 2"});
  EXPECT_EQ(engine_->late_replies(), 1);
}

TEST_F(ClientEngineTest, ACancelledRequestIsTakenBackOnce) {
  open();
  call("ping");
  take();
  engine_->cancel(2, "");
  engine_->cancel(2, "");
  engine_->cancel(99, "");
  take();
  EXPECT_EQ(sent_, Lines{R"({"jsonrpc":"2.0","method":"notifications/cancelled",)"
                         R"("params":{"requestId":2}})"});
  EXPECT_EQ(outcome(), "cancelled: ping was cancelled");
}

TEST_F(ClientEngineTest, AReasonIsCutBetweenCharacters) {
  open();
  call("ping");
  take();
  std::string reason(limits::kReasonBytesMax - 1, 'a');
  engine_->cancel(2, reason + "\xc3\xa9");
  take();
  EXPECT_EQ(string_or(*at_pointer(json(sent_[0]), "/params"), "reason", ""), reason);
}

TEST_F(ClientEngineTest, TheEndOfTheConnectionEndsEveryRequest) {
  open();
  call("ping");
  call("ping");
  take();
  engine_->disconnected("reset");
  take();
  ASSERT_EQ(ended_.size(), 2U);
  EXPECT_EQ(ended_[0].reply.error().kind, Kind::kDisconnected);
  EXPECT_EQ(ended_[1].reply.error().message, "ping: reset");
  EXPECT_EQ(refused("ping").kind, Kind::kDisconnected);
  hear(R"({"jsonrpc":"2.0","id":2,"result":{}})");
  engine_->tick(at(100));
  engine_->disconnected("again");
  take();
  EXPECT_TRUE(ended_.empty() && sent_.empty() && violations_.empty());
}

TEST_F(ClientEngineTest, OnlySoManyRequestsWaitAtATime) {
  ClientOptions options;
  options.in_flight_max = 2;
  make(options);
  open();
  call("ping");
  call("ping");
  take();
  const Failure failure = refused("ping");
  EXPECT_EQ(failure.kind, Kind::kRefused);
  EXPECT_NE(failure.message.find("2 requests wait"), std::string::npos);
  take();
  EXPECT_TRUE(sent_.empty());
  hear(R"({"jsonrpc":"2.0","id":3,"result":{}})");
  EXPECT_EQ(call("ping"), 4);
}

TEST_F(ClientEngineTest, WhatTheServerDidNotDeclareIsRefusedBeforeItIsSent) {
  open("2025-11-25", "{}");
  for (const char* method :
       {"tools/list", "tools/call", "resources/list", "resources/read", "resources/subscribe",
        "prompts/get", "completion/complete", "logging/setLevel", "tasks/get"}) {
    EXPECT_EQ(refused(method).kind, Kind::kRefused) << method;
  }
  take();
  EXPECT_TRUE(sent_.empty());
  EXPECT_TRUE(engine_->call("ping", nullptr, at(1), kDeadline).ok());
  EXPECT_TRUE(engine_->call("x-vendor/thing", nullptr, at(1), kDeadline).ok());
}

TEST_F(ClientEngineTest, SubscribingTakesItsOwnFlag) {
  open("2025-11-25", R"({"resources":{}})");
  EXPECT_EQ(refused("resources/subscribe").message,
            "resources/subscribe: the server has not declared resources.subscribe");
  EXPECT_EQ(call("resources/list"), 2);
}

TEST_F(ClientEngineTest, CompletionNeededNoCapabilityAtFirst) {
  open("2024-11-05", "{}");
  EXPECT_EQ(call("completion/complete", json("{}")), 2);
  engine_.reset();
  open("2025-03-26", "{}");
  EXPECT_EQ(refused("completion/complete").kind, Kind::kRefused);
}

TEST_F(ClientEngineTest, ResultsOfTheWrongShapeAreInvalid) {
  open("2025-11-25", R"({"tools":{},"resources":{},"prompts":{},"completions":{},"logging":{}})");
  struct Row {
    const char* method;
    const char* result;
    const char* what;
  };
  const Row rows[] = {
      {"ping", "7", "the result is a number, not an object"},
      {"tools/list", "{}", "no array tools"},
      {"tools/list", R"({"tools":{}})", "no array tools"},
      {"tools/list", R"({"tools":[],"nextCursor":1})", "nextCursor is a number, not a string"},
      {"tools/call", "{}", "no array content"},
      {"tools/call", R"({"content":[{}]})", "content[0] has no type"},
      {"tools/call", R"({"content":[{"type":"text"}]})", "content[0] has no text"},
      {"tools/call", R"({"content":[{"type":"image","data":"x"}]})", "content[0] has no mimeType"},
      {"tools/call", R"({"content":[{"type":"resource","resource":{"uri":"x"}}]})",
       "content[0] has neither text nor blob"},
      {"tools/call", R"({"content":[],"isError":"no"})", "isError is no boolean"},
      {"tools/call", R"({"content":[],"structuredContent":[1]})", "structuredContent is no object"},
      {"resources/read", R"({"contents":[{"text":"x"}]})", "contents[0] has no uri"},
      {"prompts/get", R"({"messages":[{"role":"system","content":{"type":"text","text":"x"}}]})",
       "messages[0] has no known role"},
      {"completion/complete", R"({"completion":{"values":[1]}})",
       "a completion value that is no string"},
  };
  for (const Row& row : rows) {
    const std::int64_t id = call(row.method, json("{}"));
    take();
    hear(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":)" + row.result + "}");
    take();
    EXPECT_EQ(outcome(), "invalid_reply: " + std::string(row.method) + ": " + row.what);
    EXPECT_EQ(violations_.size(), 1U);
  }
}

TEST_F(ClientEngineTest, UnknownMembersAndContentTypesAreTolerated) {
  open();
  call("tools/call", json(R"({"name":"a"})"));
  hear(R"({"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"hologram"}],"new":1}})");
  take();
  EXPECT_EQ(outcome(), R"({"content":[{"type":"hologram"}],"new":1})");
}

// --- Batches.

TEST_F(ClientEngineTest, BatchesAreReadWhereTheRevisionHasThem) {
  open("2025-03-26");
  call("ping");
  call("ping");
  take();
  hear(R"([{"jsonrpc":"2.0","id":3,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}},
       {"jsonrpc":"2.0","method":"notifications/tools/list_changed"},
       {"jsonrpc":"2.0","id":"p","method":"ping"},{"jsonrpc":"2.0","id":"q","method":"no"}])");
  take();
  EXPECT_EQ(ended_.size(), 2U);
  EXPECT_EQ(notified_, Lines{"notifications/tools/list_changed"});
  ASSERT_EQ(sent_.size(), 1U);
  EXPECT_EQ(json(sent_[0]).size(), 2U);
  hear("[]");
  take();
  EXPECT_EQ(violations_, Lines{"an empty batch"});
}

TEST_F(ClientEngineTest, BatchesAreViolationsElsewhere) {
  for (const char* revision : {"2024-11-05", "2025-06-18", "2025-11-25"}) {
    engine_.reset();
    open(revision);
    call("ping");
    take();
    hear(R"([{"jsonrpc":"2.0","id":2,"result":{}}])");
    take();
    EXPECT_TRUE(ended_.empty());
    EXPECT_EQ(violations_.size(), 1U) << revision;
  }
}

}  // namespace
}  // namespace plumbline::mcp
