#include "core/mcp/server/server_engine.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/mcp/protocol/downgrade.h"
#include "core/mcp/protocol/test_values.h"
#include "core/mcp/protocol/uri_template.h"

namespace plumbline::mcp {
namespace {

using Kind = Failure::Kind;

class ServerEngineTest : public testing::Test {
 protected:
  static ServerOptions full() {
    ServerOptions options;
    options.tools = {
        json(R"({"name":"echo","title":"Echo","inputSchema":{"type":"object","required":["text"]},
                 "annotations":{"readOnlyHint":true},"outputSchema":{"type":"object"},
                 "icons":[],"execution":{}})"),
        json(R"({"name":"now","inputSchema":{"type":"object"}})"),
        json(R"({"name":"sum","inputSchema":{"type":"object"}})")};
    options.resources = {json(R"({"uri":"file:///a","name":"a"})")};
    options.templates = {json(R"({"uriTemplate":"note://{id}","name":"note"})")};
    options.prompts = {json(R"({"name":"greet","arguments":[{"name":"who","required":true}]})")};
    options.subscribe = true;
    options.completions = true;
    options.logging = true;
    options.page_items_max = 2;
    return options;
  }

  void make(ServerOptions options) {
    options_ = std::move(options);
    engine_ = std::make_unique<ServerEngine>(options_);
  }

  void open(std::string_view revision = "2025-11-25", ServerOptions options = full(),
            const std::string& capabilities = "{}") {
    make(std::move(options));
    hear(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" +
         std::string(revision) + R"(","capabilities":)" + capabilities +
         R"(,"clientInfo":{"name":"c","version":"1"}}})");
    opening_ = sent_.empty() ? "" : sent_[0];
    hear(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  }

  void hear(const std::string& text) {
    engine_->receive(json(text), at(1));
    take();
  }

  // ask sends one request and returns the answer, or "" when there is none yet.
  std::string ask(const std::string& method, const std::string& params = "{}") {
    hear(R"({"jsonrpc":"2.0","id":)" + std::to_string(++id_) + R"(,"method":")" + method +
         R"(","params":)" + params + "}");
    return sent_.empty() ? "" : sent_[0];
  }

  // code_of asks and returns the error code, 0 for a result.
  std::int64_t code_of(const std::string& method, const std::string& params = "{}") {
    const Json answer = json(ask(method, params));
    const Json* const code = at_pointer(answer, "/error/code");
    return code ? code->get<std::int64_t>() : 0;
  }

  // part_of asks and returns one part of the answer as text.
  std::string part_of(const std::string& pointer, const std::string& method,
                      const std::string& params = "{}") {
    const Json answer = json(ask(method, params));
    const Json* const part = at_pointer(answer, pointer);
    return part ? dump_json(*part) : "nothing";
  }

  void take() {
    sent_.clear();
    calls_.clear();
    ended_.clear();
    cancelled_.clear();
    violations_ = 0;
    for (ServerEngine::Action& action : engine_->take_actions()) {
      using E = ServerEngine;
      if (auto* a = std::get_if<E::Send>(&action)) sent_.push_back(dump_json(a->message));
      if (auto* a = std::get_if<E::Call>(&action)) calls_.push_back(std::move(*a));
      if (auto* a = std::get_if<E::Ended>(&action)) ended_.push_back(std::move(*a));
      if (auto* a = std::get_if<E::Cancelled>(&action)) cancelled_.push_back(a->key);
      if (std::get_if<E::Violation>(&action) != nullptr) ++violations_;
    }
  }

  ServerOptions options_;
  std::unique_ptr<ServerEngine> engine_;
  int id_ = 100;
  std::string opening_;
  Lines sent_;
  std::vector<ServerEngine::Call> calls_;
  std::vector<ServerEngine::Ended> ended_;
  std::vector<ServerEngine::Key> cancelled_;
  int violations_ = 0;
};

TEST_F(ServerEngineTest, ASupportedVersionIsRepeatedAndAnyOtherCountered) {
  for (const Revision revision : all_revisions()) {
    if (is_stateless(revision)) continue;
    open(name_of(revision));
    EXPECT_EQ(engine_->client()->revision, revision);
  }
  open("2026-07-28");
  EXPECT_EQ(engine_->client()->revision, kLatestStateful);
  ServerOptions old = full();
  old.supported = {Revision::k2024_11_05, Revision::k2025_03_26};
  for (const char* asked : {"2025-11-25", "1.0", "2026-07-28"}) {
    open(asked, old);
    EXPECT_NE(opening_.find(R"("protocolVersion":"2025-03-26")"), std::string::npos) << opening_;
  }
}

TEST_F(ServerEngineTest, CapabilitiesTellWhatIsOffered) {
  open();
  EXPECT_NE(opening_.find(R"({"completions":{},"logging":{},"prompts":{"listChanged":true},)"
                          R"("resources":{"listChanged":true,"subscribe":true},)"
                          R"("tools":{"listChanged":true}})"),
            std::string::npos)
      << opening_;
  open("2024-11-05");
  EXPECT_EQ(opening_.find("completions"), std::string::npos);
  open("2025-11-25", ServerOptions());
  EXPECT_NE(opening_.find(R"("capabilities":{})"), std::string::npos) << opening_;
}

TEST_F(ServerEngineTest, BeforeInitializeOnlyPingIsAnswered) {
  make(full());
  EXPECT_EQ(code_of("ping"), 0);
  EXPECT_EQ(code_of("tools/list"), rpc::kInvalidParams);  // It could stand alone, but does not.
  EXPECT_EQ(code_of("initialize"), rpc::kInvalidParams);
  EXPECT_EQ(code_of("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{}})"),
            rpc::kInvalidParams);
  EXPECT_EQ(engine_->client(), nullptr);
  ServerOptions old = full();
  old.supported = {kLatestStateful};
  make(old);
  EXPECT_EQ(code_of("ping"), 0);
  EXPECT_EQ(code_of("tools/list"), rpc::kInvalidRequest);
}

TEST_F(ServerEngineTest, ASecondInitializeIsRefused) {
  open();
  EXPECT_EQ(code_of("initialize"), rpc::kInvalidRequest);
}

TEST_F(ServerEngineTest, BrokenMessagesGetTheStandardErrors) {
  open();
  engine_->garbage("bad at line 1 column 1");
  take();
  EXPECT_EQ(sent_, Lines{R"({"error":{"code":-32700,"message":"bad at line 1 column 1"},)"
                         R"("id":null,"jsonrpc":"2.0"})"});
  hear(R"({"jsonrpc":"2.0","id":"x","method":7})");
  EXPECT_EQ(sent_, Lines{R"({"error":{"code":-32600,"message":"method is a number, not a string"},)"
                         R"("id":"x","jsonrpc":"2.0"})"});
  hear("7");
  EXPECT_NE(sent_.at(0).find(R"("id":null)"), std::string::npos);
  hear(R"({"jsonrpc":"2.0","id":5,"method":"ping","params":[1]})");
  EXPECT_NE(sent_.at(0).find("-32602"), std::string::npos);
  EXPECT_EQ(code_of("no/such"), rpc::kMethodNotFound);
}

TEST_F(ServerEngineTest, NotificationsAreNeverAnswered) {
  open();
  for (const char* method : {"notifications/unheard_of", "tools/list", "initialize", "ping"}) {
    hear(R"({"jsonrpc":"2.0","method":")" + std::string(method) + "\"}");
    EXPECT_TRUE(sent_.empty()) << method;
  }
}

TEST_F(ServerEngineTest, ListsComeInPagesWithOpaqueCursors) {
  open();
  EXPECT_EQ(part_of("/result/nextCursor", "tools/list"), "\"c2\"");
  EXPECT_EQ(part_of("/result/tools/0/name", "tools/list", R"({"cursor":"c2"})"), "\"sum\"");
  EXPECT_EQ(part_of("/result/nextCursor", "tools/list", R"({"cursor":"c2"})"), "nothing");
  for (const char* bad : {"\"\"", "\"c\"", "\"c0\"", "\"c3\"", "\"c2x\"", "\"2\"", "7", "null"}) {
    EXPECT_EQ(code_of("tools/list", R"({"cursor":)" + std::string(bad) + "}"), rpc::kInvalidParams)
        << bad;
  }
}

TEST_F(ServerEngineTest, ToolsAreDescribedAsTheRevisionKnowsThem) {
  const auto keys = [&](std::string_view revision) {
    open(revision);
    std::string out;
    const Json answer = json(ask("tools/list"));
    for (const auto& [key, value] : at_pointer(answer, "/result/tools/0")->items()) {
      out += key + " ";
    }
    return out;
  };
  EXPECT_EQ(keys("2024-11-05"), "inputSchema name ");
  EXPECT_EQ(keys("2025-03-26"), "annotations inputSchema name ");
  EXPECT_EQ(keys("2025-06-18"), "annotations inputSchema name outputSchema title ");
  EXPECT_EQ(keys("2025-11-25"), "annotations execution icons inputSchema name outputSchema title ");
}

TEST_F(ServerEngineTest, ACallIsSurfacedAndFinishedOnce) {
  open();
  EXPECT_EQ(ask("tools/call", R"({"name":"echo","arguments":{"text":"hi"}})"), "");
  ASSERT_EQ(calls_.size(), 1U);
  EXPECT_EQ(calls_[0].target, "echo");
  EXPECT_EQ(engine_->running(), 1U);
  const ServerEngine::Key key = calls_[0].key;
  engine_->finish(key, json(R"({"content":[]})"), at(1));
  engine_->finish(key, json(R"({"content":[]})"), at(1));
  take();
  EXPECT_EQ(sent_, Lines{R"({"id":101,"jsonrpc":"2.0","result":{"content":[]}})"});
}

TEST_F(ServerEngineTest, UnknownTargetsAndBadParamsAreRefused) {
  open();
  EXPECT_EQ(code_of("tools/call", R"({"name":"nope"})"), rpc::kInvalidParams);
  EXPECT_EQ(part_of("/error/data", "tools/call", R"({"name":"nope"})"), R"({"toolName":"nope"})");
  EXPECT_EQ(code_of("tools/call"), rpc::kInvalidParams);
  EXPECT_EQ(code_of("tools/call", R"({"name":"now","arguments":[1]})"), rpc::kInvalidParams);
  EXPECT_EQ(code_of("resources/read"), rpc::kInvalidParams);
  EXPECT_EQ(code_of("resources/read", R"({"uri":"file:///b"})"), rpc::kResourceNotFound);
  EXPECT_EQ(part_of("/error/data", "resources/read", R"({"uri":"x:"})"), R"({"uri":"x:"})");
  EXPECT_EQ(code_of("resources/subscribe", R"({"uri":"file:///b"})"), rpc::kResourceNotFound);
  EXPECT_EQ(code_of("prompts/get", R"({"name":"nope"})"), rpc::kInvalidParams);
  EXPECT_EQ(code_of("prompts/get", R"({"name":"greet"})"), rpc::kInvalidParams);
  EXPECT_EQ(code_of("prompts/get", R"({"name":"greet","arguments":{"who":1}})"),
            rpc::kInvalidParams);
  EXPECT_EQ(code_of("completion/complete"), rpc::kInvalidParams);
  EXPECT_EQ(code_of("completion/complete", R"({"ref":{"type":"ref/prompt","name":"x"},
                                              "argument":{"name":"a","value":""}})"),
            rpc::kInvalidParams);
  EXPECT_EQ(code_of("logging/setLevel", R"({"level":"loud"})"), rpc::kInvalidParams);
  EXPECT_TRUE(calls_.empty());
}

TEST_F(ServerEngineTest, RawCallsAreTheirHandlersAffairAndSoAreTheirErrors) {
  ServerOptions options = full();
  options.raw_calls = true;
  open("2025-11-25", options);
  ask("tools/call", R"({"name":"nope","arguments":{}})");
  EXPECT_EQ(calls_.at(0).target, "nope");
  engine_->finish(calls_.at(0).key, Failure(rpc::kInvalidParams, "Invalid arguments"), at(1));
  take();
  EXPECT_NE(sent_.at(0).find("-32602"), std::string::npos) << sent_.at(0);
}

TEST_F(ServerEngineTest, WhatAServerSaysOfItselfFitsTheRevision) {
  ServerOptions options = full();
  options.title = "T";
  options.description = "D";
  options.website_url = "https://w.example";
  options.icons = json(R"([{"src":"data:,"}])");
  open("2025-11-25", options);
  EXPECT_NE(opening_.find(R"("description":"D","icons":[{"src":"data:,"}],)"), std::string::npos)
      << opening_;
  EXPECT_NE(opening_.find(R"("websiteUrl":"https://w.example")"), std::string::npos);
  open("2025-06-18", options);
  EXPECT_NE(opening_.find(R"("title":"T")"), std::string::npos);
  for (const char* newer : {"\"description\"", "icons", "websiteUrl"}) {
    EXPECT_EQ(opening_.find(newer), std::string::npos) << newer;
  }
}

TEST_F(ServerEngineTest, WhatIsNotOfferedIsNotFound) {
  open("2025-11-25", ServerOptions());
  for (const char* method :
       {"tools/list", "tools/call", "resources/list", "resources/read", "resources/subscribe",
        "prompts/list", "prompts/get", "completion/complete", "logging/setLevel"}) {
    EXPECT_EQ(code_of(method), rpc::kMethodNotFound) << method;
  }
}

TEST_F(ServerEngineTest, BadArgumentsAreAResultInTheNewestRevisionOnly) {
  open("2025-11-25");
  EXPECT_EQ(part_of("/result/isError", "tools/call", R"({"name":"echo"})"), "true");
  ask("tools/call", R"({"name":"now"})");
  engine_->finish(calls_.at(0).key, Failure(rpc::kInvalidParams, "no such zone"), at(1));
  take();
  EXPECT_NE(sent_.at(0).find("isError"), std::string::npos);
  open("2025-06-18");
  EXPECT_EQ(code_of("tools/call", R"({"name":"echo"})"), rpc::kInvalidParams);
  ask("tools/call", R"({"name":"now"})");
  engine_->finish(calls_.at(0).key, Failure(rpc::kInvalidParams, "no such zone"), at(1));
  take();
  EXPECT_NE(sent_.at(0).find("-32602"), std::string::npos);
}

TEST_F(ServerEngineTest, ResultsFitTheRevision) {
  const Json full_result = json(R"({"structuredContent":{"a":1},"content":[
      {"type":"audio","data":"","mimeType":"audio/wav"},
      {"type":"resource_link","uri":"x:1","name":"n","title":"T"}]})");
  const auto in = [&](Revision revision) {
    Json result = full_result;
    downgrade_result("tools/call", result, revision);
    std::string out = find(result, "structuredContent") ? "structured" : "plain";
    for (const Json& block : result["content"]) out += " " + string_or(block, "type", "");
    return out;
  };
  EXPECT_EQ(in(Revision::k2024_11_05), "plain text text");
  EXPECT_EQ(in(Revision::k2025_03_26), "plain audio text");
  EXPECT_EQ(in(Revision::k2025_06_18), "structured audio resource_link");
  Json many = json(R"({"completion":{"values":[]}})");
  for (int i = 0; i < 101; ++i) many["completion"]["values"].push_back("x");
  downgrade_result("completion/complete", many, kLatest);
  EXPECT_EQ(many["completion"]["values"].size(), 100U);
  EXPECT_EQ(int_or(many["completion"], "total", 0), 101);
  EXPECT_TRUE(bool_or(many["completion"], "hasMore", false));
  Json bare = json(R"({"structuredContent":{"a":1}})");
  downgrade_result("tools/call", bare, Revision::k2024_11_05);
  EXPECT_EQ(dump_json(bare), R"({"content":[{"text":"{\"a\":1}","type":"text"}]})");
}

TEST_F(ServerEngineTest, ACancelledCallGetsNoAnswer) {
  open();
  ask("tools/call", R"({"name":"now"})");
  const ServerEngine::Key key = calls_.at(0).key;
  hear(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":101}})");
  EXPECT_EQ(cancelled_, std::vector<ServerEngine::Key>{key});
  engine_->finish(key, json("{}"), at(1));
  hear(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":101}})");
  EXPECT_TRUE(sent_.empty() && cancelled_.empty());
}

TEST_F(ServerEngineTest, ProgressGoesToTheTokenAndOnlyUpwards) {
  open("2024-11-05");
  ask("tools/call", R"({"name":"now","_meta":{"progressToken":"t"}})");
  const ServerEngine::Key key = calls_.at(0).key;
  engine_->progress(key, 1, 2.0, "half");
  engine_->progress(key, 1, 2.0, "half");
  take();
  EXPECT_EQ(sent_, Lines{R"({"jsonrpc":"2.0","method":"notifications/progress",)"
                         R"("params":{"progress":1.0,"progressToken":"t","total":2.0}})"});
  engine_->finish(key, json("{}"), at(1));
  take();
  engine_->progress(key, 2, 2.0, "");
  ask("tools/call", R"({"name":"now"})");
  engine_->progress(calls_.at(0).key, 1, 2.0, "");
  take();
  EXPECT_TRUE(sent_.empty());
}

TEST_F(ServerEngineTest, LogsObeyTheLevel) {
  open();
  engine_->log_to_all("debug", "", 1);
  EXPECT_EQ(code_of("logging/setLevel", R"({"level":"warning"})"), 0);
  engine_->log_to_all("notice", "db", 1);
  engine_->log_to_all("warning", "db", json(R"({"a":1})"));
  take();
  EXPECT_EQ(sent_, Lines{R"({"jsonrpc":"2.0","method":"notifications/message","params":)"
                         R"({"data":{"a":1},"level":"warning","logger":"db"}})"});
}

TEST_F(ServerEngineTest, UpdatesGoToSubscribersOnly) {
  open();
  engine_->resource_updated("file:///a");
  EXPECT_EQ(code_of("resources/subscribe", R"({"uri":"note://7"})"), 0);
  engine_->resource_updated("file:///a");
  engine_->resource_updated("note://7");
  take();
  EXPECT_EQ(sent_, Lines{R"({"jsonrpc":"2.0","method":"notifications/resources/updated",)"
                         R"("params":{"uri":"note://7"}})"});
  EXPECT_EQ(code_of("resources/unsubscribe", R"({"uri":"note://7"})"), 0);
  engine_->resource_updated("note://7");
  take();
  EXPECT_TRUE(sent_.empty());
}

TEST_F(ServerEngineTest, BatchesWorkWhereTheRevisionHasThem) {
  open("2025-03-26");
  hear(R"([{"jsonrpc":"2.0","id":1,"method":"ping"},
           {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"now"}},
           {"jsonrpc":"2.0","method":"n"},7])");
  EXPECT_TRUE(sent_.empty());
  engine_->finish(calls_.at(0).key, json("{}"), at(1));
  take();
  ASSERT_EQ(sent_.size(), 1U);
  EXPECT_EQ(json(sent_[0]).size(), 3U);
  hear(R"([{"jsonrpc":"2.0","method":"n"}])");
  EXPECT_TRUE(sent_.empty());
  hear("[]");
  EXPECT_NE(sent_.at(0).find("-32600"), std::string::npos);
  open("2025-06-18");
  hear(R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])");
  EXPECT_NE(sent_.at(0).find("-32600"), std::string::npos);
}

TEST_F(ServerEngineTest, TheClientIsAskedOnlyForWhatItDeclared) {
  const auto refused = [&](const char* method, const char* params = "{}") {
    const Reply<std::int64_t> id = engine_->request(method, json(params), at(0), at(9));
    return id.ok() ? "sent" : id.error().message;
  };
  open("2025-11-25", full(), R"({"sampling":{},"elicitation":{}})");
  EXPECT_EQ(refused("roots/list"), "roots/list: the client has not declared roots");
  EXPECT_EQ(refused("sampling/createMessage"), "sent");
  EXPECT_EQ(refused("sampling/createMessage", R"({"tools":[]})"),
            "sampling/createMessage: the client has not declared sampling.tools");
  EXPECT_EQ(refused("elicitation/create"), "sent");
  EXPECT_EQ(refused("elicitation/create", R"({"mode":"url"})"),
            "elicitation/create: the client has not declared elicitation.url");
  open("2025-11-25", full(), R"({"elicitation":{"url":{}}})");
  EXPECT_EQ(refused("elicitation/create"),
            "elicitation/create: the client has not declared elicitation.form");
  open("2025-03-26", full(), R"({"elicitation":{}})");
  EXPECT_EQ(refused("elicitation/create"),
            "elicitation/create: the client has not declared elicitation");
}

TEST_F(ServerEngineTest, OurRequestsEndOnceByAnswerTimeoutOrCancel) {
  open();
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(engine_->request("ping", nullptr, at(0), at(9)).ok());
  }
  take();
  hear(R"({"jsonrpc":"2.0","id":1,"result":{}})");
  EXPECT_TRUE(ended_.at(0).reply.ok());
  hear(R"({"jsonrpc":"2.0","id":1,"result":{}})");
  EXPECT_EQ(violations_, 1);
  engine_->cancel(2, "");
  engine_->tick(at(9));
  take();
  ASSERT_EQ(ended_.size(), 2U);
  EXPECT_EQ(ended_[0].reply.error().kind, Kind::kCancelled);
  EXPECT_EQ(ended_[1].reply.error().kind, Kind::kTimeout);
  EXPECT_EQ(sent_.size(), 2U);
  hear(R"({"jsonrpc":"2.0","id":3,"result":{}})");
  EXPECT_EQ(engine_->late_replies(), 1);
}

TEST_F(ServerEngineTest, CallsBeyondTheBoundAreRefused) {
  ServerOptions options = full();
  options.in_flight_max = 1;
  open("2025-11-25", options);
  EXPECT_EQ(ask("tools/call", R"({"name":"now"})"), "");
  EXPECT_EQ(code_of("tools/call", R"({"name":"now"})"), rpc::kInternalError);
}

TEST_F(ServerEngineTest, TheEndDropsCallsAndEndsRequests) {
  open();
  ask("tools/call", R"({"name":"now"})");
  ASSERT_TRUE(engine_->request("ping", nullptr, at(0), at(9)).ok());
  engine_->disconnected("gone");
  take();
  EXPECT_EQ(cancelled_.size(), 1U);
  EXPECT_EQ(ended_.at(0).reply.error().kind, Kind::kDisconnected);
  hear(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  EXPECT_TRUE(sent_.empty());
}

TEST(UriTemplateTest, ExpressionsStandForText) {
  EXPECT_TRUE(matches_template("note://{id}", "note://7"));
  EXPECT_FALSE(matches_template("note://{id}", "note://"));
  EXPECT_FALSE(matches_template("note://{id}", "note://a/b"));
  EXPECT_TRUE(matches_template("file:///{+path}", "file:///a/b"));
  EXPECT_TRUE(matches_template("file:///{path*}", "file:///a/b"));
  EXPECT_TRUE(matches_template("x://{a}/{b}.txt", "x://1/2.txt"));
  EXPECT_FALSE(matches_template("x://{a}/{b}.txt", "x://1/2.md"));
  EXPECT_TRUE(matches_template("plain", "plain"));
  for (const char* broken : {"x{", "x{}", "x}", "{a"}) {
    EXPECT_FALSE(matches_template(broken, "xa")) << broken;
  }
}

}  // namespace
}  // namespace plumbline::mcp
