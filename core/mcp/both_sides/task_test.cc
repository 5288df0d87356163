// Calls that become tasks, between a client and a server, in both kinds of revision.

#include <chrono>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "core/base/wait.h"
#include "core/mcp/both_sides/value_link_fixture.h"
#include "core/mcp/client/client_session.h"
#include "core/mcp/protocol/test_values.h"
#include "core/mcp/server/server.h"

namespace plumbline::mcp {
namespace {

using std::chrono::seconds;

Task<Reply<Json>> work_for(Loop& loop, Duration delay, int& running) {
  ++running;
  co_await Sleep(loop, loop.now() + delay);
  --running;
  co_return json(R"({"content":[{"type":"text","text":"done"}]})");
}

Task<Reply<Json>> ask_while_working(ServerCall call, Loop& loop) {
  co_await Sleep(loop, loop.now() + seconds(2));
  Json form = json(R"({"message":"?","requestedSchema":{"type":"object","properties":{}}})");
  Reply<Json> answer =
      co_await call.ask("q", "elicitation/create", std::move(form), loop.now() + seconds(60));
  if (!answer.ok()) co_return std::move(answer);
  Json result = json(R"({"content":[{"type":"text"}]})");
  result["content"][0]["text"] = string_or(answer.value(), "action", "");
  co_return std::move(result);
}

class TaskTest : public testing::TestWithParam<Revision> {
 protected:
  void TearDown() override { EXPECT_EQ(judge_.problems(), Lines()); }

  static ServerOptions offer() {
    ServerOptions options;
    for (const char* name : {"slow", "ask", "fail", "plain"}) {
      options.tools.push_back(json(R"({"inputSchema":{"type":"object"}})"));
      options.tools.back()["name"] = name;
      if (name == std::string("plain")) continue;
      options.tools.back()["execution"]["taskSupport"] = "required";
    }
    options.tasks.offered = true;
    options.tasks.ttl_max = seconds(100);
    options.tasks.count_max = 3;
    options.secret = "0123456789abcdef";
    return options;
  }

  void connect(bool follow_tasks = true) {
    server_.handle("tools/call", "slow",
                   [this](ServerCall) { return work_for(loop_, seconds(3), running_); });
    server_.handle("tools/call", "ask",
                   [this](ServerCall call) { return ask_while_working(std::move(call), loop_); });
    server_.handle("tools/call", "fail",
                   at_once([](const Json&) { return Failure(rpc::kInternalError, "broken"); }));
    server_.handle("tools/call", "plain",
                   at_once([](const Json&) { return json(R"({"content":[]})"); }));
    server_.accept(std::make_unique<ValueLink::Borrowed>(link_.server));
    ClientOptions options;
    options.preferred = GetParam();
    options.tasks = follow_tasks;
    options.on_elicit = answer_at_once([](const Json&) { return json(R"({"action":"decline"})"); });
    options.on_notified = [this](std::string_view method, const Json& params) {
      heard_.push_back(std::string(method) + " " + string_or(params, "status", ""));
    };
    client_ = std::make_unique<ClientSession>(loop_, link_.client, options, "client", nullptr);
    ASSERT_TRUE(wait(client_->initialize(soon())).ok());
  }

  Instant soon() const { return loop_.now() + seconds(60); }
  bool modern() const { return is_stateless(GetParam()); }

  // wait runs until the task is done, a second at a time.
  template <typename T>
  T wait(Task<T> task) {
    task.start();
    for (int i = 0; i < 200 && !task.done(); ++i) loop_.run_until(loop_.now() + seconds(1));
    check(task.done(), "a task did not end");
    return std::move(task.result());
  }

  Reply<Json> call(const std::string& tool) {
    return wait(client_->call_as_task(tool, Json::object(), soon()));
  }

  // begin starts a task by hand and returns its id.
  std::string begin(const std::string& tool) {
    Json params = json("{}");
    params["name"] = tool;
    if (!modern()) params["task"] = json(R"({"ttl":50000})");
    const Json result = wait(client_->request("tools/call", params, soon())).value();
    const Json* const handle = find(result, "task");
    return string_or(handle ? *handle : result, "taskId", "");
  }

  Reply<Json> of_task(const std::string& method, const std::string& id) {
    Json params = json("{}");
    params["taskId"] = id;
    return wait(client_->request(method, params, soon()));
  }

  TinyLoop loop_;
  WireJudge judge_;
  ValueLink link_{loop_, &judge_};
  int running_ = 0;
  Lines heard_;
  Server server_{loop_, offer(), "server", nullptr};
  std::unique_ptr<ClientSession> client_;
};

INSTANTIATE_TEST_SUITE_P(Eras, TaskTest, testing::Values(kLatestStateful, kLatest),
                         [](const auto& which) {
                           return is_stateless(which.param) ? "Stateless" : "Stateful";
                         });

TEST_P(TaskTest, ACallGoesOnAsATaskAndIsFollowed) {
  connect();
  EXPECT_EQ(string_or(*at_pointer(call("slow").value(), "/content/0"), "text", ""), "done");
  EXPECT_EQ(call("fail").error().message, "broken");
  EXPECT_EQ(client_->violations(), 0);
}

TEST_P(TaskTest, ATaskAsksTheClientWhileItWorks) {
  connect();
  const Json result = call("ask").value();
  EXPECT_EQ(string_or(*at_pointer(result, "/content/0"), "text", ""), "decline");
  EXPECT_EQ(client_->violations(), 0);
}

TEST_P(TaskTest, ATaskTellsHowItStands) {
  connect();
  const std::string id = begin("slow");
  EXPECT_EQ(id.size(), 32U);
  const Json task = of_task("tasks/get", id).value();
  EXPECT_EQ(string_or(task, "status", ""), "working");
  EXPECT_EQ(string_or(task, "createdAt", "").substr(0, 11), "1970-01-01T");
  EXPECT_EQ(int_or(task, modern() ? "ttlMs" : "ttl", 0), modern() ? 100'000 : 50'000);
  loop_.run_until(loop_.now() + seconds(5));
  EXPECT_EQ(string_or(of_task("tasks/get", id).value(), "status", ""), "completed");
  EXPECT_EQ(of_task("tasks/get", "nonsense").error().code, rpc::kInvalidParams);
  if (modern()) return;
  EXPECT_EQ(heard_, Lines{"notifications/tasks/status completed"});
  const Json result = of_task("tasks/result", id).value();
  EXPECT_EQ(
      string_or(*at_pointer(result, "/_meta/io.modelcontextprotocol~1related-task"), "taskId", ""),
      id);
  EXPECT_EQ(wait(client_->request("tasks/list", nullptr, soon())).value()["tasks"].size(), 1U);
}

TEST_P(TaskTest, ATaskThatIsCancelledStops) {
  connect();
  const std::string id = begin("slow");
  loop_.run_until(loop_.now() + seconds(1));
  EXPECT_EQ(running_, 1);
  ASSERT_TRUE(of_task("tasks/cancel", id).ok());
  loop_.run_until(loop_.now() + seconds(9));
  EXPECT_EQ(running_, 1);  // It never came to its end.
  EXPECT_EQ(string_or(of_task("tasks/get", id).value(), "status", ""), "cancelled");
  const Reply<Json> again = of_task("tasks/cancel", id);
  EXPECT_EQ(again.ok(), modern());
}

TEST_P(TaskTest, TasksExpireAndAreBounded) {
  connect();
  std::string id;
  for (int i = 0; i < 3; ++i) id = begin("slow");
  Json params = json(R"({"name":"slow","task":{}})");
  EXPECT_FALSE(wait(client_->request("tools/call", params, soon())).ok());
  loop_.run_until(loop_.now() + seconds(150));
  EXPECT_EQ(of_task("tasks/get", id).error().code, rpc::kInvalidParams);
  EXPECT_FALSE(begin("slow").empty());
}

TEST_P(TaskTest, WhoeverHasNotDeclaredTasksGetsNone) {
  connect(false);
  const Reply<Json> refused = wait(client_->call_tool("slow", Json::object(), soon()));
  EXPECT_EQ(refused.error().code, modern() ? rpc::kMissingClientCapability : rpc::kMethodNotFound);
  EXPECT_TRUE(wait(client_->call_tool("plain", Json::object(), soon())).ok());
  Json params = json(R"({"name":"plain","task":{}})");
  EXPECT_EQ(wait(client_->request("tools/call", params, soon())).ok(), modern());
  if (!modern()) return;
  EXPECT_EQ(of_task("tasks/get", "x").error().code, rpc::kMissingClientCapability);
  EXPECT_EQ(wait(client_->listen(json(R"({"taskIds":["x"]})"), soon())).error().code,
            rpc::kMissingClientCapability);
}

TEST_P(TaskTest, ListenersHearOfTheirTask) {
  if (!modern()) return;
  connect();
  const std::string id = begin("slow");
  Json filter = json("{}");
  filter["taskIds"] = {id};
  ASSERT_TRUE(wait(client_->listen(filter, soon())).ok());
  loop_.run_until(loop_.now() + seconds(9));
  EXPECT_EQ(heard_, Lines{"notifications/tasks completed"});
}

TEST_P(TaskTest, AServerMayGoWhileATaskWaits) {
  auto server = std::make_unique<Server>(loop_, offer(), "server", nullptr);
  server->handle("tools/call", "ask",
                 [this](ServerCall call) { return ask_while_working(std::move(call), loop_); });
  ValueLink link(loop_);
  server->accept(std::make_unique<ValueLink::Borrowed>(link.server));
  ClientOptions options;
  options.preferred = GetParam();
  options.tasks = true;
  options.on_elicit = [this](Json) { return work_for(loop_, std::chrono::hours(9), running_); };
  ClientSession client(loop_, link.client, options, "client", nullptr);
  ASSERT_TRUE(wait(client.initialize(soon())).ok());
  Task<Reply<Json>> call = client.call_as_task("ask", Json::object(), soon());
  call.start();
  loop_.run_until(loop_.now() + seconds(5));
  EXPECT_EQ(running_, 1);
  server.reset();
  loop_.run_until(loop_.now() + seconds(99));
  EXPECT_TRUE(call.done());
}

TEST_P(TaskTest, ATaskWhoseClientGoesEnds) {
  connect();
  begin("ask");
  loop_.run_until(loop_.now() + seconds(3));
  client_->close();
  loop_.run_until(loop_.now() + seconds(200));
  EXPECT_EQ(server_.sessions(), 0U);
  EXPECT_TRUE(loop_.idle());
}

}  // namespace
}  // namespace plumbline::mcp
