// A scripted server of 2026-07-28: no session, and every request stands alone.

#include "fakes/peers/stateless.h"

#include <gtest/gtest.h>

#include "fakes/peers/scripted_server.h"
#include "fakes/peers/wire_peer.h"
#include "fakes/testing/event_log.h"
#include "fakes/world/sim_loop.h"

namespace plumbline::fakes {
namespace {

class StatelessScriptTest : public testing::Test {
 protected:
  void start(std::string_view text) {
    Result<ServerScript, Problem> script = parse_server_script(parse_json(text).value());
    ASSERT_TRUE(script.ok()) << script.error().pointer << ": " << script.error().message;
    script_ = std::move(script).value();
    spawner_.add("demo", {}, scripted_program(script_, {loop_, ledger_, memory_}));
    Result<std::unique_ptr<net::Child>> child = spawner_.spawn(net::Command({"demo"}));
    ASSERT_TRUE(child.ok());
    child_ = std::move(child).value();
    peer_ = std::make_unique<WirePeer>(loop_, child_->stdio());
  }

  // ask sends a request as a client of the revision does and returns what comes, a line each.
  std::vector<Json> ask(const Json& id, const std::string& method, Json params = Json::object()) {
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = version_;
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = Json::object();
    return peer_->ask(id, method, std::move(params));
  }

  std::string version_ = "2026-07-28";
  SimLoop loop_;
  EventLog events_;
  EffectLedger ledger_{loop_, events_};
  ServerMemory memory_{"demo"};
  SimSpawner spawner_{loop_, Rng(1), events_};
  ServerScript script_;
  std::unique_ptr<net::Child> child_;
  std::unique_ptr<WirePeer> peer_;
};

constexpr std::string_view kTools = R"({"revision": "2026-07-28", "instructions": "Be kind.",
  "tools": [{"name": "t"},
            {"name": "touch", "does": [{"notify": {"method": "notifications/tools/list_changed"}}]},
            {"name": "more", "does": [{"reply": {"resultType": "input_required"}}]}]})";

TEST_F(StatelessScriptTest, ItTellsWhatThereIsWithoutAHandshake) {
  start(kTools);
  EXPECT_EQ(dump_json(ask(1, "server/discover").at(0)["result"]),
            R"({"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"scripted",)"
            R"("version":"1.0.0"}},"cacheScope":"private","capabilities":{"logging":{},)"
            R"("tools":{"listChanged":true}},"instructions":"Be kind.","resultType":"complete",)"
            R"("supportedVersions":["2026-07-28"],"ttlMs":0})");
  const Json list = ask(2, "tools/list").at(0)["result"];
  EXPECT_EQ(list["resultType"], "complete");
  EXPECT_EQ(list["ttlMs"], 0);
  EXPECT_EQ(list["tools"].size(), 3U);
  const Json called = ask(3, "tools/call", {{"name", "t"}}).at(0)["result"];
  EXPECT_EQ(called["resultType"], "complete");
  EXPECT_FALSE(called.contains("ttlMs"));
  EXPECT_EQ(dump_json(ask(4, "tools/call", {{"name", "more"}}).at(0)["result"]),
            R"({"resultType":"input_required"})")
      << "what says its type is sent as it is";
}

TEST_F(StatelessScriptTest, ItRefusesWhatDoesNotSayWhoAsksAndWhatWentWithTheSessions) {
  start(kTools);
  EXPECT_EQ(peer_->ask(1, "tools/list", Json::object()).at(0)["error"]["code"], -32602);
  for (const char* method : {"ping", "logging/setLevel", "resources/subscribe", "no/such"}) {
    EXPECT_EQ(ask(2, method).at(0)["error"]["code"], -32601) << method;
  }
  EXPECT_EQ(ask(3, "resources/read", {{"uri", "a:b"}}).at(0)["error"]["code"], -32602);
  const std::string unsupported =
      R"({"code":-32022,"data":{"requested":"2025-11-25","supported":["2026-07-28"]},)"
      R"("message":"Unsupported protocol version"})";
  EXPECT_EQ(
      dump_json(peer_->ask(4, "initialize", {{"protocolVersion", "2025-11-25"}}).at(0)["error"]),
      unsupported);
  version_ = "2025-11-25";
  EXPECT_EQ(dump_json(ask(5, "tools/list").at(0)["error"]), unsupported);
}

TEST_F(StatelessScriptTest, WhoListensHearsOfChangesUntilItCancels) {
  start(kTools);
  EXPECT_EQ(ask(1, "tools/call", {{"name", "touch"}}).size(), 1U) << "nobody listens yet";
  const std::vector<Json> acknowledged =
      ask("ear", "subscriptions/listen",
          {{"notifications", {{"toolsListChanged", true}, {"promptsListChanged", true}}}});
  ASSERT_EQ(acknowledged.size(), 1U) << "it stays open";
  EXPECT_EQ(dump_json(acknowledged[0]),
            R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":)"
            R"({"_meta":{"io.modelcontextprotocol/subscriptionId":"ear"},)"
            R"("notifications":{"toolsListChanged":true}}})");
  const std::vector<Json> touched = ask(2, "tools/call", {{"name", "touch"}});
  ASSERT_EQ(touched.size(), 2U);
  EXPECT_EQ(dump_json(touched[0]),
            R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":)"
            R"({"_meta":{"io.modelcontextprotocol/subscriptionId":"ear"}}})");
  EXPECT_EQ(memory_.listeners.size(), 1U);
  peer_->notify("notifications/cancelled", {{"requestId", "ear"}});
  EXPECT_EQ(ask(3, "tools/call", {{"name", "touch"}}).size(), 1U);
  EXPECT_TRUE(memory_.listeners.empty());
}

TEST_F(StatelessScriptTest, TheEndOfTheProcessEndsItsListeners) {
  start(kTools);
  ask("ear", "subscriptions/listen", {{"notifications", {{"toolsListChanged", true}}}});
  EXPECT_EQ(memory_.listeners.size(), 1U);
  peer_.reset();
  child_.reset();
  EXPECT_TRUE(memory_.listeners.empty());
}

}  // namespace
}  // namespace plumbline::fakes
