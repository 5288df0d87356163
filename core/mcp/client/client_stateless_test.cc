// The client engine in the revision whose requests stand alone.

#include <chrono>

#include <gtest/gtest.h>

#include "core/mcp/client/client_engine_fixture.h"
#include "core/mcp/protocol/meta_keys.h"

namespace plumbline::mcp {
namespace {

using std::chrono::seconds;

class ClientStatelessTest : public ClientEngineTest {
 protected:
  static ClientOptions modern() {
    ClientOptions options;
    options.preferred = Revision::k2026_07_28;
    options.on_elicit = answer_at_once([](const Json&) { return Json::object(); });
    return options;
  }

  // start sends the first message of an opening.
  void start(ClientOptions options = modern()) {
    make(std::move(options));
    engine_->open(at(0), kDeadline);
    take();
  }

  void open_modern(ClientOptions options = modern()) {
    start(std::move(options));
    hear(R"({"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","ttlMs":0,
        "cacheScope":"private","supportedVersions":["2026-07-28","2025-11-25"],
        "capabilities":{"tools":{},"resources":{},"prompts":{}},
        "_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}})");
    ASSERT_TRUE(engine_->is_open());
    take();
  }

  void answer(int id, const std::string& result) {
    hear(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":)" + result + "}");
    take();
  }

  void refuse(int id, const std::string& error) {
    hear(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"error":)" + error + "}");
    take();
  }

  // method_sent returns the method of the only message sent, empty when there is none.
  std::string method_sent() {
    return sent_.size() == 1 ? string_or(json(sent_[0]), "method", "") : "";
  }

  // needed moves out what the last actions asked for.
  std::vector<ClientEngine::InputNeeded> needed_;
  void take_inputs() {
    sent_.clear();
    ended_.clear();
    for (ClientEngine::Action& action : engine_->take_actions()) {
      if (auto* const need = std::get_if<ClientEngine::InputNeeded>(&action)) {
        needed_.push_back(std::move(*need));
      }
      record(action);
    }
  }
};

TEST_F(ClientStatelessTest, TheOpeningIsADiscoverWithTheMeta) {
  start();
  EXPECT_EQ(sent_, Lines{R"({"id":1,"jsonrpc":"2.0","method":"server/discover","params":{"_meta":{)"
                         R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},)"
                         R"("io.modelcontextprotocol/clientInfo":{"name":"plumbline",)"
                         R"("version":"0.1"},)"
                         R"("io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})"});
  open_modern();
  EXPECT_EQ(engine_->server().revision, Revision::k2026_07_28);
  EXPECT_EQ(engine_->server().name, "s");
  EXPECT_EQ(engine_->server().versions.size(), 2U);
}

TEST_F(ClientStatelessTest, AnyErrorOfAnOlderServerLeadsToInitialize) {
  for (const int code : {-32601, -32602, -32600, -32000, -32002, -32603}) {
    start();
    refuse(1, R"({"code":)" + std::to_string(code) + R"(,"message":"no"})");
    EXPECT_EQ(method_sent(), "initialize") << code;
    EXPECT_EQ(at_pointer(json(sent_[0]), "/params/_meta"), nullptr);
    answer(2, R"({"protocolVersion":"2025-06-18","capabilities":{},
                  "serverInfo":{"name":"s","version":"1"}})");
    EXPECT_EQ(outcome(), "null");
    EXPECT_EQ(ended_.at(0).id, 1);  // The id that open() gave.
    EXPECT_EQ(engine_->server().revision, Revision::k2025_06_18);
  }
}

TEST_F(ClientStatelessTest, SilenceAndARefusedExchangeLeadToInitialize) {
  start();
  engine_->tick(at(5) - Duration(1));
  take();
  EXPECT_TRUE(sent_.empty());
  engine_->tick(at(5));
  take();
  EXPECT_EQ(method_sent(), "initialize");
  start();
  engine_->lost(rpc::RpcId(1), Error{ErrorCode::kUnsupported, "status 400"}, at(1));
  take();
  EXPECT_EQ(method_sent(), "initialize");
  start();
  engine_->lost(rpc::RpcId(1), Error{ErrorCode::kDisconnected, "reset"}, at(1));
  take();
  EXPECT_TRUE(sent_.empty() && engine_->closed());
}

TEST_F(ClientStatelessTest, AModernErrorIsNoReasonToFallBack) {
  for (const char* error :
       {R"({"code":-32021,"message":"x"})", R"({"code":-32020,"message":"x"})",
        R"({"code":-32022,"message":"x","data":{"supported":["2031-01-01"],"requested":"y"}})"}) {
    start();
    refuse(1, error);
    EXPECT_TRUE(sent_.empty()) << error;
    EXPECT_TRUE(engine_->closed());
    EXPECT_EQ(ended_.size(), 1U);
  }
}

TEST_F(ClientStatelessTest, ALegacyVersionInTheListLeadsToInitialize) {
  start();
  refuse(1, R"({"code":-32022,"message":"x","data":{"supported":["2025-11-25"],"requested":"y"}})");
  EXPECT_EQ(method_sent(), "initialize");
  start();
  answer(1, R"({"supportedVersions":["2025-06-18"],"capabilities":{}})");
  EXPECT_EQ(method_sent(), "initialize");
}

TEST_F(ClientStatelessTest, AnAnswerThatIsNoDiscoveryLeadsToInitialize) {
  start();
  answer(1, "{}");
  EXPECT_EQ(method_sent(), "initialize");
}

TEST_F(ClientStatelessTest, AVersionThatIsRefusedAndListedAtOnceIsTriedOnceMore) {
  constexpr const char* kRefusal =
      R"({"code":-32022,"message":"x","data":{"supported":["2026-07-28"],"requested":"y"}})";
  start();
  refuse(1, kRefusal);
  EXPECT_EQ(method_sent(), "server/discover");
  refuse(2, kRefusal);
  EXPECT_TRUE(sent_.empty() && engine_->closed());
}

TEST_F(ClientStatelessTest, AModernClientTellsWhyItCannotTalkToAnOlderServer) {
  ClientOptions options = modern();
  options.supported = {Revision::k2026_07_28};
  start(options);
  refuse(1, R"({"code":-32601,"message":"what?"})");
  EXPECT_TRUE(engine_->closed());
  EXPECT_NE(outcome().find("does not speak protocol version 2026-07-28"), std::string::npos)
      << outcome();
}

TEST_F(ClientStatelessTest, EveryRequestTellsWhoAsks) {
  ClientOptions options = modern();
  options.ask_for_progress = true;
  options.log_level = "info";
  open_modern(options);
  call("tools/call", json(R"({"name":"t","_meta":{"traceparent":"x"}})"));
  take();
  const Json meta = *at_pointer(json(sent_.at(0)), "/params/_meta");
  EXPECT_EQ(meta.size(), 6U);
  EXPECT_EQ(string_or(meta, kMetaVersion, ""), "2026-07-28");
  EXPECT_EQ(string_or(meta, kMetaLogLevel, ""), "info");
  EXPECT_EQ(int_or(meta, "progressToken", 0), 2);
  engine_->cancel(2, "");
  take();
  EXPECT_EQ(sent_, Lines{R"({"jsonrpc":"2.0","method":"notifications/cancelled",)"
                         R"("params":{"requestId":2}})"});
}

TEST_F(ClientStatelessTest, MethodsThatAreGoneAreNotSent) {
  open_modern();
  for (const char* method : {"ping", "logging/setLevel", "resources/subscribe"}) {
    EXPECT_EQ(refused(method).kind, Failure::Kind::kRefused) << method;
  }
  engine_.reset();
  open();
  EXPECT_EQ(refused("subscriptions/listen").kind, Failure::Kind::kRefused);
}

TEST_F(ClientStatelessTest, ResultsAreReadByTheirType) {
  open_modern();
  const auto read = [&](const std::string& result) {
    const std::int64_t id = call("tools/call", json(R"({"name":"t"})"));
    take();
    answer(static_cast<int>(id), result);
    return outcome();
  };
  EXPECT_EQ(read(R"({"content":[]})"), R"({"content":[]})");
  EXPECT_EQ(read(R"({"resultType":"complete","content":[],"structuredContent":[1]})"),
            R"({"content":[],"structuredContent":[1]})");
  EXPECT_EQ(read(R"({"resultType":"strange","content":[]})"),
            R"(invalid_reply: tools/call: unknown resultType "strange")");
}

TEST_F(ClientStatelessTest, AServersRequestIsNotAnswered) {
  open_modern();
  for (const char* method : {"ping", "roots/list"}) {
    hear(R"({"jsonrpc":"2.0","id":9,"method":")" + std::string(method) + "\"}");
    take();
    EXPECT_TRUE(sent_.empty() && asked_.empty());
    EXPECT_EQ(violations_.size(), 1U);
  }
}

TEST_F(ClientStatelessTest, ACallGoesOnWithInputUnderANewId) {
  open_modern();
  EXPECT_EQ(call("tools/call", json(R"({"name":"t"})")), 2);
  take();
  hear(
      R"({"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","requestState":" s\u00e9 ",
      "inputRequests":{"who":{"method":"elicitation/create","params":{"message":"?"}}}}})");
  take_inputs();
  ASSERT_EQ(needed_.size(), 1U);
  EXPECT_EQ(needed_[0].id, 2);
  EXPECT_TRUE(sent_.empty() && ended_.empty());
  EXPECT_EQ(engine_->waiting(), 1U);
  engine_->provide(2, json(R"({"who":{"action":"accept"}})"), at(2));
  take();
  const Json retry = json(sent_.at(0));
  EXPECT_EQ(int_or(retry, "id", 0), 3);
  EXPECT_EQ(string_or(retry["params"], "requestState", ""), " s\u00e9 ");
  EXPECT_EQ(dump_json(retry["params"]["inputResponses"]), R"({"who":{"action":"accept"}})");
  // The second round has no state, and so the retry has none.
  answer(3, R"({"resultType":"input_required","inputRequests":{}})");
  ASSERT_EQ(sent_.size(), 1U);
  EXPECT_EQ(find(json(sent_[0])["params"], "requestState"), nullptr);
  EXPECT_EQ(find(json(sent_[0])["params"], "inputResponses"), nullptr);
  answer(4, R"({"resultType":"complete","content":[],"ttlMs":5})");
  EXPECT_EQ(outcome(), R"({"content":[]})");
  EXPECT_EQ(ended_.at(0).id, 2);
}

// Found by a property: the rounds of a call carried tokens that nobody knew.
TEST_F(ClientStatelessTest, ProgressOfEveryRoundIsThatOfTheCall) {
  ClientOptions options = modern();
  options.ask_for_progress = true;
  options.extend_on_progress = seconds(10);
  options.extended_total_max = seconds(12);
  open_modern(options);
  EXPECT_EQ(call("tools/call", json(R"({"name":"t"})"), at(5)), 2);
  hear(R"({"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","requestState":"s"}})",
       at(3));
  take();
  EXPECT_EQ(int_or(*at_pointer(json(sent_.back()), "/params/_meta"), "progressToken", 0), 2);
  hear(R"({"jsonrpc":"2.0","method":"notifications/progress",
           "params":{"progressToken":2,"progress":1}})",
       at(4));
  take();
  EXPECT_EQ(notified_, Lines{"notifications/progress"});
  EXPECT_EQ(engine_->next_deadline(), at(1 + 12)) << "from the start of the call";
}

TEST_F(ClientStatelessTest, InputIsBoundedInRoundsAndTime) {
  ClientOptions options = modern();
  options.input_rounds_max = 3;
  open_modern(options);
  call("tools/call", json(R"({"name":"t"})"));
  take();
  for (int id = 2; id < 5; ++id) {
    answer(id, R"({"resultType":"input_required","requestState":"s"})");
    EXPECT_EQ(method_sent(), "tools/call");
  }
  answer(5, R"({"resultType":"input_required","requestState":"s"})");
  EXPECT_EQ(outcome(), "invalid_reply: tools/call: asks for input more than 3 times");

  call("tools/call", json(R"({"name":"t"})"));
  take();
  hear(R"({"jsonrpc":"2.0","id":6,"result":{"resultType":"input_required",
      "inputRequests":{"who":{"method":"elicitation/create"}}}})");
  EXPECT_EQ(engine_->next_deadline(), kDeadline);
  engine_->tick(kDeadline);
  take();
  EXPECT_TRUE(sent_.empty());  // No request of ours is open that could be cancelled.
  EXPECT_EQ(ended_.at(0).reply.error().kind, Failure::Kind::kTimeout);
  engine_->provide(6, Json::object(), kDeadline);
  take();
  EXPECT_TRUE(sent_.empty());
}

TEST_F(ClientStatelessTest, InputThatWasNotDeclaredIsInvalid) {
  open_modern();
  int id = 2;
  for (const char* result :
       {R"({"resultType":"input_required"})", R"({"resultType":"input_required","requestState":7})",
        R"({"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}}})",
        R"({"resultType":"input_required","inputRequests":{"a":{"method":"tools/list"}}})",
        R"({"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create",
            "params":{"mode":"url"}}}})"}) {
    call("tools/call", json(R"({"name":"t"})"));
    take();
    answer(id++, result);
    EXPECT_EQ(ended_.at(0).reply.error().kind, Failure::Kind::kInvalidReply) << result;
  }
  call("tools/list");
  take();
  answer(id, R"({"resultType":"input_required","requestState":"s","tools":[]})");
  EXPECT_EQ(ended_.at(0).reply.error().kind, Failure::Kind::kInvalidReply);
}

TEST_F(ClientStatelessTest, NotificationsBelongToAnOpenSubscription) {
  open_modern();
  call("subscriptions/listen", json(R"({"notifications":{"toolsListChanged":true}})"));
  take();
  const auto tell = [&](const char* method, int subscription) {
    hear(R"({"jsonrpc":"2.0","method":")" + std::string(method) +
         R"(","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":)" +
         std::to_string(subscription) + "}}}");
    take();
  };
  tell("notifications/subscriptions/acknowledged", 2);
  EXPECT_EQ(engine_->next_deadline(), kNever);
  tell("notifications/tools/list_changed", 2);
  EXPECT_EQ(notified_.size(), 1U);
  tell("notifications/tools/list_changed", 7);
  EXPECT_EQ(notified_.size(), 0U);
  EXPECT_EQ(violations_.size(), 1U);
  hear(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
  take();
  EXPECT_EQ(violations_.size(), 1U);
  hear(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})");
  take();
  EXPECT_EQ(outcome(), "{}");
  answer(2, R"({"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":2}})");
  EXPECT_TRUE(violations_.empty());
}

}  // namespace
}  // namespace plumbline::mcp
