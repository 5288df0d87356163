// The server engine in the revision whose requests stand alone.

#include <gtest/gtest.h>

#include "core/mcp/server/server_engine_fixture.h"

namespace plumbline::mcp {
namespace {

std::string part(const Json& message, const std::string& pointer) {
  const Json* const found = at_pointer(message, pointer);
  return found ? dump_json(*found) : "nothing";
}

TEST_F(StatelessServerTest, DiscoverTellsWhatThereIs) {
  ServerOptions options = full();
  options.supported = {Revision::k2025_11_25, Revision::k2026_07_28};
  make(options);
  EXPECT_EQ(dump_json(ask("server/discover")["result"]),
            R"({"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}},)"
            R"("cacheScope":"private","capabilities":{"completions":{},"logging":{},)"
            R"("prompts":{"listChanged":true},)"
            R"("resources":{"listChanged":true,"subscribe":true},"tools":{"listChanged":true}},)"
            R"("resultType":"complete","supportedVersions":["2026-07-28","2025-11-25"],)"
            R"("ttlMs":0})");
}

TEST_F(StatelessServerTest, EveryRequestHasToTellWhoAsks) {
  make(full());
  for (const std::string& key : {std::string(kMetaVersion), std::string(kMetaCapabilities)}) {
    Json without = json(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}})");
    without["params"]["_meta"] = meta();
    without["params"]["_meta"].erase(key);
    EXPECT_EQ(part(hear(std::move(without)), "/error/code"), "-32602") << key;
  }
  EXPECT_EQ(part(hear(json(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})")), "/error/code"),
            "-32602");
  EXPECT_EQ(engine_->violations(), 3);
}

TEST_F(StatelessServerTest, AnUnknownVersionIsToldWhichThereAre) {
  ServerOptions options = full();
  options.supported = {Revision::k2026_07_28};
  make(options);
  Json request = json(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}})");
  request["params"]["_meta"] = meta();
  request["params"]["_meta"][std::string(kMetaVersion)] = "1900-01-01";
  const Json answer = hear(std::move(request));
  EXPECT_EQ(part(answer, "/error/code"), "-32022");
  EXPECT_EQ(part(answer, "/error/data"),
            R"({"requested":"1900-01-01","supported":["2026-07-28"]})");
  const Json refused = hear(json(R"({"jsonrpc":"2.0","id":2,"method":"initialize","params":
      {"protocolVersion":"2025-11-25","capabilities":{},
       "clientInfo":{"name":"c","version":"1"}}})"));
  EXPECT_EQ(part(refused, "/error/data/supported"), R"(["2026-07-28"])");
  EXPECT_NE(part(refused, "/error/message").find("2026-07-28"), std::string::npos);
}

TEST_F(StatelessServerTest, WhatIsGoneIsNotFound) {
  make(full());
  for (const char* method : {"ping", "initialize", "logging/setLevel", "resources/subscribe",
                             "resources/unsubscribe", "tasks/list", "tasks/result", "nonsense"}) {
    EXPECT_EQ(code_of(method), rpc::kMethodNotFound) << method;
  }
  EXPECT_EQ(code_of("resources/read", R"({"uri":"file:///b"})"), rpc::kInvalidParams);
}

TEST_F(StatelessServerTest, BothKindsOfClientAreServedSideBySide) {
  make(full());
  ask("server/discover");
  hear(json(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":
      {"protocolVersion":"2025-06-18","capabilities":{},
       "clientInfo":{"name":"c","version":"1"}}})"));
  EXPECT_EQ(part(sent_.at(0), "/result/protocolVersion"), R"("2025-06-18")");
  hear(json(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})"));
  EXPECT_EQ(part(sent_.at(0), "/result/resultType"), "nothing");
  EXPECT_EQ(part(ask("tools/list"), "/result/resultType"), R"("complete")");
}

TEST_F(StatelessServerTest, ListsAndResourcesCarryCachingHints) {
  ServerOptions options = full();
  options.list_cache = CacheHints{std::chrono::seconds(2), true};
  options.resource_cache = CacheHints{std::chrono::seconds(3), false};
  make(options);
  for (const char* method : {"server/discover", "tools/list", "resources/list",
                             "resources/templates/list", "prompts/list"}) {
    const Json answer = ask(method);
    EXPECT_EQ(part(answer, "/result/ttlMs") + part(answer, "/result/cacheScope"), "2000\"public\"")
        << method;
  }
  ask("resources/read", R"({"uri":"file:///a"})");
  const Json read = finish(R"({"contents":[]})");
  EXPECT_EQ(part(read, "/result/ttlMs") + part(read, "/result/cacheScope"), "3000\"private\"");
  ask("resources/read", R"({"uri":"file:///a"})");
  EXPECT_EQ(part(finish(R"({"contents":[],"ttlMs":5})"), "/result/ttlMs"), "5");
  ask("tools/call", R"({"name":"ask","arguments":{"text":""}})");
  EXPECT_EQ(part(finish(R"({"content":[]})"), "/result/ttlMs"), "nothing");
}

TEST_F(StatelessServerTest, RetiredErrorCodesAreNotSent) {
  make(full());
  for (const auto& [code, sent] : {std::pair(rpc::kResourceNotFound, "-32602"),
                                   std::pair(rpc::kUrlElicitationRequired, "-32603")}) {
    ask("resources/read", R"({"uri":"file:///a"})");
    engine_->finish(calls_.at(0).key, Failure(code, "no"), at(1));
    take();
    EXPECT_EQ(part(sent_.at(0), "/error/code"), sent);
  }
}

TEST_F(StatelessServerTest, LogsNeedALevelInTheRequest) {
  make(full());
  ask("tools/call", R"({"name":"ask","arguments":{"text":""}})");
  engine_->log(calls_.at(0).key, "emergency", "", 1);
  take();
  EXPECT_TRUE(sent_.empty());
  ask("tools/call", R"({"name":"ask","arguments":{"text":""},
                        "_meta":{"io.modelcontextprotocol/logLevel":"warning"}})");
  engine_->log(calls_.at(0).key, "notice", "", 1);
  engine_->log(calls_.at(0).key, "warning", "", 2);
  engine_->log_to_all("emergency", "", 3);
  take();
  ASSERT_EQ(sent_.size(), 1U);
  EXPECT_EQ(part(sent_[0], "/params"), R"({"data":2,"level":"warning"})");
  EXPECT_EQ(about_, Lines{"102"});
  EXPECT_EQ(code_of("tools/list", R"({"_meta":{"io.modelcontextprotocol/logLevel":"loud"}})"),
            rpc::kInvalidParams);
}

TEST_F(StatelessServerTest, ProgressBelongsToItsRequest) {
  make(full());
  ask("tools/call", R"({"name":"ask","arguments":{"text":""},"_meta":{"progressToken":7}})");
  engine_->progress(calls_.at(0).key, 1, std::nullopt, "");
  take();
  EXPECT_EQ(about_, Lines{"101"});
  EXPECT_EQ(part(sent_.at(0), "/params/progressToken"), "7");
}

TEST_F(StatelessServerTest, TheServerSendsNoRequests) {
  make(full());
  ask("tools/call", R"({"name":"ask","arguments":{"text":""}})", R"({"roots":{}})");
  const ServerEngine::Key key = calls_.at(0).key;
  EXPECT_FALSE(engine_->request("roots/list", nullptr, at(1), at(9), key).ok());
  EXPECT_FALSE(engine_->request("ping", nullptr, at(1), at(9)).ok());
}

TEST_F(StatelessServerTest, ASubscriptionHearsWhatItAskedForAndNothingElse) {
  make(full());
  const Json ack = ask("subscriptions/listen", R"({"notifications":{"toolsListChanged":true,
      "promptsListChanged":false,"resourceSubscriptions":["file:///a"],"taskIds":["t"]}})");
  EXPECT_EQ(part(ack, "/method"), R"("notifications/subscriptions/acknowledged")");
  EXPECT_EQ(part(ack, "/params"),
            R"({"_meta":{"io.modelcontextprotocol/subscriptionId":101},"notifications":)"
            R"({"resourceSubscriptions":["file:///a"],"toolsListChanged":true}})");
  engine_->list_changed("prompts");
  engine_->list_changed("tools");
  engine_->resource_updated("file:///b");
  engine_->resource_updated("file:///a");
  take();
  ASSERT_EQ(sent_.size(), 2U);
  EXPECT_EQ(part(sent_[0], "/params"),
            R"({"_meta":{"io.modelcontextprotocol/subscriptionId":101}})");
  EXPECT_EQ(part(sent_[1], "/params/uri"), R"("file:///a")");
  EXPECT_EQ(about_, (Lines{"101", "101"}));
}

TEST_F(StatelessServerTest, TheServerEndsASubscriptionInGoodOrder) {
  make(full());
  ask("subscriptions/listen", R"({"notifications":{}})");
  engine_->end_subscriptions();
  take();
  ASSERT_EQ(sent_.size(), 2U);
  EXPECT_EQ(part(sent_[0], "/id") + part(sent_[0], "/result/resultType"), "101\"complete\"");
  EXPECT_EQ(part(sent_[0], "/result/_meta/io.modelcontextprotocol~1subscriptionId"), "101");
  EXPECT_EQ(part(sent_[1], "/params/requestId"), "101");
  EXPECT_EQ(engine_->subscriptions(), 0U);
}

TEST_F(StatelessServerTest, TheClientCancelsASubscription) {
  make(full());
  ask("subscriptions/listen", R"({"notifications":{"toolsListChanged":true}})");
  hear(json(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":101}})"));
  engine_->list_changed("tools");
  take();
  EXPECT_TRUE(sent_.empty());
  for (const char* bad :
       {"{}", R"({"notifications":7})", R"({"notifications":{"resourceSubscriptions":[7]}})"}) {
    EXPECT_EQ(code_of("subscriptions/listen", bad), rpc::kInvalidParams) << bad;
  }
}

}  // namespace
}  // namespace plumbline::mcp
