// The hub over real client sessions, and servers that are a few lines of script in this file.

#include "core/agents/mcp_hub.h"

#include <functional>
#include <map>

#include "core/agents/test_support.h"
#include "core/base/task_group.h"

namespace plumbline::agents {
namespace {

using std::chrono::seconds;

// Script says how one server behaves, each time it is connected to.
struct Script {
  bool refuses = false;  // connect() fails.
  bool never_connects = false;
  bool hangs = false;          // Connected, and silent from then on.
  bool dies_of_probe = false;  // server/discover ends the connection.
  int dies_after = 1'000;      // Requests answered before the connection ends, the first time.
  Json tools = Json::array();
  std::map<std::string, Json> results;  // By method.
};

// World is what the servers and their channels leave behind.
struct World {
  explicit World(Loop& on) : loop(on) {}
  Loop& loop;
  std::map<std::string, Script> scripts;
  std::map<std::string, int> connects;
  std::vector<std::string> log;  // "close files", "call files" ...
};

// ScriptedChannel answers each request from the loop.
class ScriptedChannel final : public transport::MessageChannel {
 public:
  ScriptedChannel(World& world, std::string server, bool first)
      : world_(world), server_(std::move(server)), first_(first), wake_([this] { deliver(); }) {}

  // implements MessageChannel ---
  void start(transport::MessageReceiver& receiver) override { receiver_ = &receiver; }
  void send(Json message) override {
    const Script& script = world_.scripts[server_];
    const Json* const id = find(message, "id");
    if (id == nullptr || script.hangs || receiver_ == nullptr) return;
    const std::string method = string_or(message, "method", "");
    if (method == "tools/call") world_.log.push_back("call " + server_);
    if (method == "server/discover") {
      world_.log.push_back("probe " + server_);
      dying_ = script.dies_of_probe;
    }
    Json reply = Json::object();
    reply["jsonrpc"] = "2.0";
    reply["id"] = *id;
    reply["result"] = result_of(script, method);
    outbox_.push_back(std::move(reply));
    if (!wake_.armed()) world_.loop.arm(wake_, world_.loop.now());
  }
  void close_send() override {}
  void close() override { receiver_ = nullptr; }

 private:
  static Json result_of(const Script& script, const std::string& method) {
    const auto given = script.results.find(method);
    if (given != script.results.end()) return given->second;
    if (method == "initialize") {
      return json(R"({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                      "serverInfo": {"name": "scripted", "version": "1"}})");
    }
    Json listed = Json::object();
    listed["tools"] = script.tools;
    return listed;
  }

  void deliver() {
    std::vector<Json> messages = std::exchange(outbox_, {});
    for (Json& message : messages) {
      if (receiver_ == nullptr) return;
      if (dying_ || (first_ && answered_++ >= world_.scripts[server_].dies_after)) {
        transport::MessageReceiver* const receiver = std::exchange(receiver_, nullptr);
        const Error gone{ErrorCode::kDisconnected, "the server went away"};
        receiver->on_closed(&gone);
        return;
      }
      receiver_->on_message(std::move(message));
    }
  }

  World& world_;
  std::string server_;
  bool first_;
  int answered_ = 0;
  bool dying_ = false;
  transport::MessageReceiver* receiver_ = nullptr;
  std::vector<Json> outbox_;
  Alarm wake_;
};

class ScriptedConnection final : public transport::Connection {
 public:
  ScriptedConnection(World& world, std::string server, bool first)
      : world_(world), server_(server), channel_(world, std::move(server), first) {}

  // implements Connection ---
  transport::MessageChannel& channel() override { return channel_; }
  std::string diagnosis() const override { return "stderr: key sk-hub-secret-1 refused"; }
  Task<void> close() override {
    const Instant closed = after(world_.loop.now(), seconds(1));
    co_await Sleep(world_.loop, closed);
    world_.log.push_back("closed " + server_);
  }

 private:
  World& world_;
  std::string server_;
  ScriptedChannel channel_;
};

class ScriptedConnector final : public transport::Connector {
 public:
  explicit ScriptedConnector(World& world) : world_(world) {}

  // implements Connector ---
  Task<Result<std::unique_ptr<transport::Connection>>> connect(std::string server) override {
    const Script& script = world_.scripts[server];
    const Instant late = kNever - seconds(1);
    if (script.never_connects) co_await Sleep(world_.loop, late);
    if (script.refuses) {
      co_return Error{ErrorCode::kInvalidInput, "no command --key sk-hub-secret-1"};
    }
    const bool first = ++world_.connects[server] == 1;
    std::unique_ptr<transport::Connection> connection =
        std::make_unique<ScriptedConnection>(world_, server, first);
    co_return connection;
  }

 private:
  World& world_;
};

class McpHubTest : public testing::Test {
 protected:
  McpHubTest() { redactor_.add("sk-hub-secret-1"); }

  McpHub& hub(std::vector<std::string> servers) {
    HubOptions options;
    options.servers = std::move(servers);
    options.connect_timeout = seconds(10);
    options.request_timeout = seconds(5);
    options.client = client_;
    hub_ = std::make_unique<McpHub>(loop_, connector_, std::move(options), redactor_, nullptr);
    return *hub_;
  }

  void serve(const std::string& server, std::string_view tools) {
    world_.scripts[server].tools = json(tools);
    world_.scripts[server].results["tools/call"] = text_result("done");
  }

  // finish runs the loop until `task` is done and returns its result.
  template <typename T>
  T finish(Task<T> task) {
    task.start();
    loop_.run();
    check(task.done(), "the task hangs");
    if constexpr (!std::is_void_v<T>) return std::move(task.result());
  }

  mcp::Reply<Json> call(std::string server) {
    McpRequest request;
    request.server = std::move(server);
    request.method = "tools/call";
    request.params = json(R"({"name": "t", "arguments": {}})");
    return finish(hub_->invoke(std::move(request)));
  }

  TinyLoop loop_;
  World world_{loop_};
  ScriptedConnector connector_{world_};
  Redactor redactor_;
  mcp::ClientOptions client_;
  std::unique_ptr<McpHub> hub_;
};

constexpr std::string_view kOneTool = R"([{"name": "t", "inputSchema": {"type": "object"}}])";

TEST_F(McpHubTest, DiscoversAllServersAtOnceInTheOrderOfTheConfiguration) {
  serve("b", kOneTool);
  serve("a", kOneTool);
  const Discovery found = finish(hub({"b", "a", "b"}).discover());
  ASSERT_EQ(found.manifest.servers.size(), 2U);
  EXPECT_EQ(found.manifest.servers[0].server, "b");
  EXPECT_EQ(found.manifest.servers[0].name, "scripted");
  EXPECT_EQ(found.manifest.servers[1].capabilities.at(0).name, "t");
  EXPECT_TRUE(found.problems.empty());
  EXPECT_EQ(world_.connects["b"], 1);
}

TEST_F(McpHubTest, AServerThatIsDownAndOneThatHangsCostOnlyTheTimeout) {
  serve("good", kOneTool);
  world_.scripts["down"].refuses = true;
  world_.scripts["slow"].never_connects = true;
  world_.scripts["mute"].hangs = true;
  const Discovery found = finish(hub({"down", "slow", "good", "mute"}).discover());
  ASSERT_EQ(found.manifest.servers.size(), 1U);
  EXPECT_EQ(found.manifest.servers[0].server, "good");
  ASSERT_EQ(found.problems.size(), 3U);
  EXPECT_EQ(found.problems[0].server, "down");
  EXPECT_EQ(found.problems[0].kind, mcp::FailureClass::kNetwork);
  EXPECT_EQ(found.problems[1].kind, mcp::FailureClass::kTimeout);
  EXPECT_EQ(found.problems[2].kind, mcp::FailureClass::kTimeout);
  EXPECT_EQ(loop_.now(), Instant(seconds(10)));
  for (const DiscoveryProblem& problem : found.problems) {
    EXPECT_EQ(problem.message.find("sk-hub-secret-1"), std::string::npos) << problem.message;
  }
}

TEST_F(McpHubTest, OneBadToolDoesNotCostTheOthers) {
  serve("a", R"([{"name": "t", "inputSchema": {"type": "object"}}, {"name": "schemaless"}])");
  const Discovery found = finish(hub({"a"}).discover());
  EXPECT_EQ(found.manifest.capability_count(), 1U);
  ASSERT_EQ(found.problems.size(), 1U);
  EXPECT_EQ(found.problems[0].kind, mcp::FailureClass::kProtocol);
}

TEST_F(McpHubTest, WhatIsListedAgainCountsOnce) {
  serve("a", R"([{"name": "t", "inputSchema": {"type": "object"}},
                 {"name": "t", "inputSchema": {"type": "object"}, "description": "another"},
                 {"name": "t", "inputSchema": {"type": "object"}}])");
  const Discovery found = finish(hub({"a"}).discover());
  EXPECT_EQ(found.manifest.capability_count(), 1U);
  ASSERT_EQ(found.problems.size(), 1U);
  EXPECT_EQ(found.problems[0].message, "server \"a\" lists 2 entries that it has listed before");
}

TEST_F(McpHubTest, AFlawIsAProblemBesideTheTool) {
  serve("a", R"([{"name": "t", "inputSchema": {"type": "object"}, "outputSchema": 7}])");
  const Discovery found = finish(hub({"a"}).discover());
  EXPECT_EQ(found.manifest.capability_count(), 1U);
  ASSERT_EQ(found.problems.size(), 1U);
  EXPECT_EQ(found.problems[0].kind, mcp::FailureClass::kProtocol);
}

TEST_F(McpHubTest, ALaterListIsHeldAgainstTheFirstThatCameWhole) {
  serve("a", kOneTool);
  world_.scripts["a"].results["tools/list"] = json(R"({"tools": 7})");
  McpHub& hub = this->hub({"a"});
  EXPECT_EQ(finish(hub.discover()).problems.size(), 1U);
  world_.scripts["a"].results.erase("tools/list");
  EXPECT_EQ(finish(hub.discover()).manifest.servers[0].capabilities[0].drift, Drift::kNone);
  serve("a", R"([{"name": "t", "inputSchema": {"type": "object"}, "description": "new"}])");
  EXPECT_EQ(finish(hub.discover()).manifest.servers[0].capabilities[0].drift, Drift::kChanged);
}

TEST_F(McpHubTest, ALostConnectionIsOpenedAgainForTheNextCall) {
  serve("a", kOneTool);
  world_.scripts["a"].dies_after = 2;
  EXPECT_EQ(finish(hub({"a"}).discover()).manifest.servers.size(), 1U);
  const mcp::Reply<Json> lost = call("a");
  ASSERT_FALSE(lost.ok());
  EXPECT_EQ(lost.error().kind, mcp::Failure::Kind::kDisconnected);
  EXPECT_NE(lost.error().message.find("[redacted]"), std::string::npos) << lost.error().message;
  EXPECT_TRUE(call("a").ok());
  EXPECT_EQ(world_.connects["a"], 2);
  EXPECT_EQ(world_.log, (std::vector<std::string>{"call a", "call a"}));
}

TEST_F(McpHubTest, AnOlderServerThatDiesOfAProbeIsStartedAgainAndRemembered) {
  serve("a", kOneTool);
  world_.scripts["a"].dies_of_probe = true;
  world_.scripts["a"].dies_after = 0;
  client_.preferred = mcp::kLatest;
  EXPECT_EQ(finish(hub({"a"}).discover()).manifest.servers.size(), 1U);
  EXPECT_EQ(world_.connects["a"], 2);
  EXPECT_TRUE(call("a").ok());
  EXPECT_EQ(world_.log, (std::vector<std::string>{"probe a", "call a"}))
      << "it is not probed again";
}

TEST_F(McpHubTest, ASilentServerEndsTheCallAtItsTimeout) {
  serve("a", kOneTool);
  EXPECT_EQ(finish(hub({"a"}).discover()).manifest.servers.size(), 1U);
  world_.scripts["a"].hangs = true;
  const mcp::Reply<Json> reply = call("a");
  ASSERT_FALSE(reply.ok());
  EXPECT_EQ(reply.error().kind, mcp::Failure::Kind::kTimeout);
  EXPECT_EQ(loop_.now(), Instant(seconds(5)));
}

TEST_F(McpHubTest, WhatServersSendIsRedacted) {
  serve("a", R"([{"name": "t", "description": "uses sk-hub-secret-1",
                  "inputSchema": {"type": "object"}}])");
  world_.scripts["a"].results["tools/call"] = text_result("the key is sk-hub-secret-1");
  const Discovery found = finish(hub({"a"}).discover());
  EXPECT_EQ(found.manifest.servers.at(0).capabilities.at(0).description, "uses [redacted]");
  EXPECT_EQ(dump_json(call("a").value()).find("sk-hub-secret-1"), std::string::npos);
}

TEST_F(McpHubTest, ClosesAllConnectionsAtOnceAndInOrder) {
  serve("a", kOneTool);
  serve("b", kOneTool);
  finish(hub({"b", "a"}).discover());
  finish(hub_->close());
  EXPECT_EQ(world_.log, (std::vector<std::string>{"closed a", "closed b"}));
  EXPECT_EQ(loop_.now(), Instant(seconds(1)));
  EXPECT_TRUE(loop_.idle());
  finish(hub_->close());  // Nothing is left to close.
}

TEST_F(McpHubTest, DroppingADiscoveryLeavesNothingArmed) {
  serve("a", kOneTool);
  world_.scripts["slow"].never_connects = true;
  world_.scripts["mute"].hangs = true;
  Task<Discovery> task = hub({"slow", "mute", "a"}).discover();
  task.start();
  task.drop();
  hub_.reset();
  EXPECT_TRUE(loop_.idle());
}

}  // namespace
}  // namespace plumbline::agents
