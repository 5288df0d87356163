// What the tests of the hub share: servers that are a few lines of script, and the hub over them.

#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/base/task_group.h"
#include "core/connector/connector_fixture.h"
#include "core/connector/mcp_hub.h"

namespace plumbline::connector {

// Script says how one server behaves, each time it is connected to.
struct Script {
  bool refuses = false;  // connect() fails.
  bool never_connects = false;
  bool hangs = false;          // Connected, and silent from then on.
  bool dies_of_probe = false;  // server/discover ends the connection.
  int dies_after = 1'000;      // Requests answered before the connection ends, the first time.
  Json tools = Json::array();
  std::map<std::string, Json> results;  // By method.
  std::map<std::string, Json> errors;   // By method.
  std::set<std::string> mute;           // Methods that are never answered.
  std::string place = "here";           // Where it is.
};

class ScriptedChannel;

// World is what the servers and their channels leave behind.
struct World {
  explicit World(Loop& on) : loop(on) {}
  Loop& loop;
  std::map<std::string, Script> scripts;
  std::map<std::string, int> connects;
  std::vector<std::string> log;                      // "close files", "call files" ...
  std::vector<std::string> sent;                     // "files tools/list" ...
  std::map<std::string, ScriptedChannel*> channels;  // The present ones.
};

// ScriptedChannel answers each request from the loop.
class ScriptedChannel final : public transport::MessageChannel {
 public:
  ScriptedChannel(World& world, std::string server, bool first)
      : world_(world), server_(std::move(server)), first_(first), wake_([this] { deliver(); }) {
    world_.channels[server_] = this;
  }

  // say makes the server send something on its own account.
  void say(Json message) {
    outbox_.push_back(std::move(message));
    if (!wake_.armed()) world_.loop.arm(wake_, world_.loop.now());
  }

  // implements MessageChannel ---
  void start(transport::MessageReceiver& receiver) override { receiver_ = &receiver; }
  void send(Json message) override {
    const Script& script = world_.scripts[server_];
    const Json* const id = find(message, "id");
    const std::string method = string_or(message, "method", "");
    world_.sent.push_back(server_ + " " + method);
    if (id == nullptr || script.hangs || script.mute.contains(method) || receiver_ == nullptr) {
      return;
    }
    if (method == "tools/call") world_.log.push_back("call " + server_);
    if (method == "server/discover") {
      world_.log.push_back("probe " + server_);
      dying_ = script.dies_of_probe;
    }
    const bool refused = script.errors.contains(method);
    if (method == "subscriptions/listen" && !refused) return acknowledge(*id, message["params"]);
    Json reply = Json::object();
    reply["jsonrpc"] = "2.0";
    reply["id"] = *id;
    const auto error = script.errors.find(method);
    if (error != script.errors.end()) {
      reply["error"] = error->second;
    } else {
      reply["result"] = result_of(script, method);
    }
    say(std::move(reply));
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

  void acknowledge(const Json& id, const Json& params) {
    Json told = json(R"({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged"})");
    told["params"]["notifications"] = params["notifications"];
    told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] = id;
    say(std::move(told));
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
      : world_(world),
        server_(server),
        place_(world.scripts[server].place),
        channel_(world, std::move(server), first) {}

  // implements Connection ---
  transport::Place place() const override { return {"at " + place_, "digest of " + place_}; }
  transport::MessageChannel& channel() override { return channel_; }
  std::string diagnosis() const override { return "stderr: key sk-hub-secret-1 refused"; }
  Task<void> close() override {
    const Instant closed = after(world_.loop.now(), std::chrono::seconds(1));
    co_await Sleep(world_.loop, closed);
    world_.log.push_back("closed " + server_);
  }

 private:
  World& world_;
  std::string server_;
  std::string place_;
  ScriptedChannel channel_;
};

class ScriptedConnector final : public transport::Connector {
 public:
  explicit ScriptedConnector(World& world) : world_(world) {}

  // implements Connector ---
  Task<Result<std::unique_ptr<transport::Connection>>> connect(std::string server) override {
    const Script& script = world_.scripts[server];
    const Instant late = kNever - std::chrono::seconds(1);
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
    options.connect_timeout = std::chrono::seconds(10);
    options.request_timeout = std::chrono::seconds(5);
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

  // time_of runs `task` and returns the instant at which it was done.
  template <typename T>
  Instant time_of(Task<T> task, T* out = nullptr) {
    task.start();
    while (!task.done()) check(loop_.step(), "the task hangs");
    if constexpr (!std::is_void_v<T>) {
      if (out != nullptr) *out = std::move(task.result());
    }
    return loop_.now();
  }

  std::int64_t sent(std::string_view what) const { return std::ranges::count(world_.sent, what); }

  static McpRequest request_to(std::string server) {
    McpRequest request;
    request.server = std::move(server);
    request.method = "tools/call";
    request.params = json(R"({"name": "t", "arguments": {}})");
    return request;
  }

  mcp::Reply<Json> call(std::string server) {
    return finish(hub_->invoke(request_to(std::move(server))));
  }

  TinyLoop loop_;
  World world_{loop_};
  ScriptedConnector connector_{world_};
  Redactor redactor_;
  mcp::ClientOptions client_;
  std::unique_ptr<McpHub> hub_;
};

inline constexpr std::string_view kOneTool =
    R"([{"name": "t", "inputSchema": {"type": "object"}}])";

}  // namespace plumbline::connector
