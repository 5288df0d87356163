// A client session and a server session, joined.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/task_group.h"
#include "core/base/wait.h"
#include "core/mcp/both_sides/value_link_fixture.h"
#include "core/mcp/client/client_session.h"
#include "core/mcp/protocol/test_values.h"
#include "core/mcp/server/server_session.h"

namespace plumbline::mcp {
namespace {

using std::chrono::seconds;
using Kind = Failure::Kind;

std::string show(const Reply<Json>& reply) {
  if (reply.ok()) return dump_json(reply.value());
  return std::string(name_of(reply.error().kind)) + ": " + reply.error().message;
}

Task<Reply<Json>> slow_echo(Loop& loop, ServerCall call, Duration delay) {
  call.progress(1, 2.0, "half way");
  co_await Sleep(loop, loop.now() + delay);
  Json block = json(R"({"type":"text","text":"done"})");
  Json result = Json::object();
  result["content"] = Json::array();
  result["content"].push_back(std::move(block));
  co_return std::move(result);
}

Task<Reply<Json>> ask_back(Loop& loop, ServerCall call, std::string method) {
  Json params;
  if (method == "elicitation/create") {
    params = json(R"({"message":"?","requestedSchema":{"type":"object","properties":{}}})");
  }
  if (method == "sampling/createMessage") params = json(R"({"messages":[],"maxTokens":9})");
  Reply<Json> reply = co_await call.request(method, std::move(params), loop.now() + seconds(5));
  Json result = Json::object();
  result["content"] = json(R"([{"type":"text"}])");
  result["content"][0]["text"] = show(reply);
  co_return std::move(result);
}

class SessionTest : public testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(judge_.problems(), Lines()); }

  static ServerOptions offer() {
    ServerOptions options;
    for (const char* name : {"echo", "slow", "hang", "ask"}) {
      Json tool = json(R"({"inputSchema":{"type":"object"}})");
      tool["name"] = name;
      options.tools.push_back(tool);
    }
    options.resources = {json(R"({"uri":"file:///a","name":"a"})")};
    options.templates = {json(R"({"uriTemplate":"note://{id}","name":"note"})")};
    options.prompts = {json(R"({"name":"greet"})")};
    options.subscribe = true;
    options.completions = true;
    options.logging = true;
    options.page_items_max = 3;
    return options;
  }

  void connect(ClientOptions client = {}, ServerOptions server = offer(),
               EventSink* events = nullptr) {
    client_.reset();
    server_.reset();
    link_ = std::make_unique<ValueLink>(loop_, &judge_);
    client.on_notified = [this](std::string_view method, const Json& params) {
      heard_.push_back(std::string(method) + " " + dump_json(params));
    };
    commons_.options = std::move(server);
    server_ = std::make_unique<ServerSession>(loop_, link_->server, commons_, "server", nullptr);
    client_ =
        std::make_unique<ClientSession>(loop_, link_->client, std::move(client), "client", events);
    commons_.handlers.set("tools/call", "echo", at_once([](const Json& params) {
                            Json result = json(R"({"content":[]})");
                            result["structuredContent"] = params["arguments"];
                            return result;
                          }));
    commons_.handlers.set("tools/call", "slow", [this](ServerCall call) {
      return slow_echo(loop_, std::move(call), seconds(3));
    });
    commons_.handlers.set("tools/call", "hang", [this](ServerCall call) {
      return slow_echo(loop_, std::move(call), std::chrono::hours(9));
    });
    commons_.handlers.set("tools/call", "ask", [this](ServerCall call) {
      return ask_back(loop_, std::move(call), ask_);
    });
    commons_.handlers.set("resources/read", "", at_once([](const Json& params) {
                            Json result = json(R"({"contents":[{"text":"x"}]})");
                            result["contents"][0]["uri"] = params["uri"];
                            return result;
                          }));
    commons_.handlers.set("prompts/get", "greet",
                          at_once([](const Json&) { return json(R"({"messages":[]})"); }));
    commons_.handlers.set("completion/complete", "", at_once([](const Json&) {
                            return json(R"({"completion":{"values":["a"]}})");
                          }));
  }

  Instant soon() const { return loop_.now() + seconds(30); }

  Reply<ServerInfo> initialize() {
    Task<Reply<ServerInfo>> task = client_->initialize(soon());
    task.start();
    loop_.run_until(loop_.now() + seconds(1));
    check(task.done(), "initialize did not end");
    return task.result();
  }

  // wait starts a task and runs everything to its end.
  template <typename T>
  T wait(Task<T> task) {
    task.start();
    loop_.run();
    check(task.done(), "a task did not end");
    return std::move(task.result());
  }

  TinyLoop loop_;
  WireJudge judge_;
  std::unique_ptr<ValueLink> link_;
  std::string ask_ = "elicitation/create";
  Lines heard_;
  ServerCommons commons_;
  std::unique_ptr<ServerSession> server_;
  std::unique_ptr<ClientSession> client_;
};

TEST_F(SessionTest, EveryPairOfRevisionsAgrees) {
  for (const Revision ours : all_revisions()) {
    for (const Revision theirs : all_revisions()) {
      TinyLoop loop;
      ValueLink link(loop, &judge_);
      if (is_stateless(ours) || is_stateless(theirs)) continue;
      ServerCommons offered;
      offered.options = offer();
      offered.options.supported = {theirs};
      ClientOptions wanted;
      wanted.preferred = ours;
      ServerSession server(loop, link.server, offered, "server", nullptr);
      ClientSession client(loop, link.client, wanted, "client", nullptr);
      Task<Reply<ServerInfo>> task = client.initialize(Instant(seconds(30)));
      task.start();
      loop.run();
      ASSERT_TRUE(task.result().ok());
      EXPECT_EQ(client.server().revision, theirs);
      EXPECT_EQ(server.client()->revision, theirs);
      EXPECT_TRUE(client.open() && server.ready());
    }
  }
}

TEST_F(SessionTest, EveryFeatureWorksInEveryRevision) {
  for (const Revision revision : all_revisions()) {
    if (is_stateless(revision)) continue;
    SCOPED_TRACE(name_of(revision));
    heard_.clear();
    ClientOptions options;
    options.preferred = revision;
    connect(options);
    ASSERT_TRUE(initialize().ok());
    EXPECT_EQ(wait(client_->list_tools(soon())).value().size(), 4U);
    EXPECT_EQ(wait(client_->list_resources(soon())).value().size(), 1U);
    EXPECT_EQ(wait(client_->list_resource_templates(soon())).value().size(), 1U);
    EXPECT_EQ(wait(client_->list_prompts(soon())).value().size(), 1U);
    const Json answer = wait(client_->call_tool("echo", json(R"({"a":1})"), soon())).value();
    EXPECT_EQ(find(answer, "structuredContent") != nullptr, has_structured_content(revision));
    EXPECT_TRUE(wait(client_->read_resource("note://7", soon())).ok());
    EXPECT_TRUE(wait(client_->get_prompt("greet", nullptr, soon())).ok());
    Json ref = json(R"({"type":"ref/prompt","name":"greet"})");
    Json argument = json(R"({"name":"who","value":"a"})");
    EXPECT_TRUE(wait(client_->complete(std::move(ref), std::move(argument), soon())).ok());
    EXPECT_TRUE(wait(client_->ping(soon())).ok());
    EXPECT_TRUE(wait(client_->set_logging_level("error", soon())).ok());
    EXPECT_TRUE(wait(client_->subscribe("file:///a", soon())).ok());
    server_->resource_updated("file:///a");
    server_->log_to_all("error", "", "boom");
    server_->list_changed("prompts");
    loop_.run();
    EXPECT_EQ(heard_.size(), 3U);
    EXPECT_TRUE(wait(client_->unsubscribe("file:///a", soon())).ok());
    EXPECT_EQ(client_->violations() + server_->violations(), 0);
  }
}

TEST_F(SessionTest, AListThatIsCutKeepsWhatWasRead) {
  ClientOptions options;
  options.list_pages_max = 1;
  EventLog events;
  connect(options, offer(), &events);
  ASSERT_TRUE(initialize().ok());
  const Reply<ClientSession::List> tools = wait(client_->list("tools/list", soon()));
  ASSERT_TRUE(tools.ok());
  EXPECT_EQ(tools.value().items.size(), 3U) << "a page";
  ASSERT_TRUE(tools.value().cut.has_value());
  EXPECT_EQ(tools.value().cut->message, "tools: more than 1 pages");
  EXPECT_EQ(events.lines.back(),
            "client note {\"text\":\"tools/list is cut: the answer breaks the "
            "protocol: tools: more than 1 pages\"}");
  EXPECT_EQ(wait(client_->list_tools(soon())).error().kind, Kind::kInvalidReply);
  EXPECT_FALSE(wait(client_->list("resources/list", soon())).value().cut.has_value());
}

TEST_F(SessionTest, ErrorsArriveWithTheirCode) {
  connect();
  ASSERT_TRUE(initialize().ok());
  const Reply<Json> unknown = wait(client_->call_tool("nope", Json::object(), soon()));
  EXPECT_EQ(unknown.error().code, rpc::kInvalidParams);
  EXPECT_EQ(show(unknown), "rpc: unknown tool: nope");
  EXPECT_EQ(wait(client_->read_resource("file:///b", soon())).error().code, rpc::kResourceNotFound);
}

TEST_F(SessionTest, ASlowToolReportsProgressAndEnds) {
  ClientOptions options;
  options.ask_for_progress = true;
  connect(options);
  ASSERT_TRUE(initialize().ok());
  EXPECT_TRUE(wait(client_->call_tool("slow", Json::object(), soon())).ok());
  EXPECT_EQ(heard_, Lines{R"(notifications/progress {"message":"half way","progress":1.0,)"
                          R"("progressToken":2,"total":2.0})"});
}

TEST_F(SessionTest, ATimeoutCancelsTheHandler) {
  connect();
  ASSERT_TRUE(initialize().ok());
  Task<Reply<Json>> call = client_->call_tool("hang", Json::object(), soon());
  call.start();
  loop_.run_until(loop_.now() + seconds(29));
  EXPECT_FALSE(call.done());
  EXPECT_EQ(server_->running(), 1U);
  loop_.run_until(loop_.now() + seconds(2));
  ASSERT_TRUE(call.done());
  EXPECT_EQ(call.result().error().kind, Kind::kTimeout);
  EXPECT_EQ(server_->running(), 0U);
  EXPECT_TRUE(loop_.idle());  // The handler's nine-hour sleep is gone with it.
}

TEST_F(SessionTest, DroppingATaskCancelsItsRequest) {
  EventLog log;
  connect({}, offer(), &log);
  ASSERT_TRUE(initialize().ok());
  {
    Task<Reply<Json>> call = client_->call_tool("hang", Json::object(), soon());
    call.start();
    loop_.run_until(loop_.now() + seconds(1));
    EXPECT_EQ(server_->running(), 1U);
    log.lines.clear();
  }
  loop_.run_until(loop_.now() + seconds(1));
  EXPECT_EQ(server_->running(), 0U);
  EXPECT_EQ(
      log.lines,
      (Lines{R"(client message_sent {"jsonrpc":"2.0","method":"notifications/cancelled",)"
             R"("params":{"reason":"no longer wanted","requestId":2}})",
             R"(client request_ended {"id":2,"method":"tools/call","outcome":"cancelled"})"}));
  EXPECT_TRUE(loop_.idle());
}

TEST_F(SessionTest, TheServerAsksBackInTheMiddleOfACall) {
  ClientOptions options;
  options.on_elicit = answer_at_once([](const Json&) { return json(R"({"action":"decline"})"); });
  options.on_sample =
      answer_at_once([](const Json&) { return Failure(rpc::kRejectedByUser, "no"); });
  options.on_list_roots = answer_at_once([](const Json&) { return json(R"({"roots":[]})"); });
  connect(options);
  ASSERT_TRUE(initialize().ok());
  const auto asked = [&](std::string method) {
    ask_ = std::move(method);
    const Json answer = wait(client_->call_tool("ask", Json::object(), soon())).value();
    return string_or(*at_pointer(answer, "/content/0"), "text", "");
  };
  EXPECT_EQ(asked("elicitation/create"), R"({"action":"decline"})");
  EXPECT_EQ(asked("sampling/createMessage"), "rpc: no");
  EXPECT_EQ(asked("roots/list"), R"({"roots":[]})");
}

TEST_F(SessionTest, ARequestTheClientCannotAnswerIsNotSent) {
  connect();
  ASSERT_TRUE(initialize().ok());
  const Json answer = wait(client_->call_tool("ask", Json::object(), soon())).value();
  EXPECT_EQ(string_or(*at_pointer(answer, "/content/0"), "text", ""),
            "refused: elicitation/create: the client has not declared elicitation");
}

TEST_F(SessionTest, TheServersEndEndsEveryRequest) {
  connect();
  ASSERT_TRUE(initialize().ok());
  Task<Reply<Json>> call = client_->call_tool("hang", Json::object(), soon());
  call.start();
  loop_.run_until(loop_.now() + seconds(1));
  server_.reset();
  loop_.run_until(loop_.now() + seconds(1));
  ASSERT_TRUE(call.done());
  EXPECT_EQ(show(call.result()), "disconnected: tools/call: the server closed the connection");
  EXPECT_FALSE(client_->open());
  EXPECT_EQ(wait(client_->ping(soon())).error().kind, Kind::kDisconnected);
  EXPECT_TRUE(loop_.idle());
}

Task<void> call_then_destroy(std::unique_ptr<ClientSession>& client, Instant deadline,
                             bool& ended) {
  const Reply<Json> reply = co_await client->ping(deadline);
  ended = reply.ok();
  client.reset();
}

TEST_F(SessionTest, ATaskMayDestroyTheSessionThatResumesIt) {
  connect();
  ASSERT_TRUE(initialize().ok());
  bool ended = false;
  TaskGroup group;
  Task<Reply<Json>> other = client_->call_tool("hang", Json::object(), soon());
  other.start();
  group.spawn(call_then_destroy(client_, soon(), ended));
  loop_.run_until(loop_.now() + seconds(1));
  EXPECT_TRUE(ended);
  EXPECT_EQ(client_, nullptr);
  EXPECT_FALSE(other.done());  // It waits for nobody now; dropping it is safe.
}

TEST_F(SessionTest, ClosingEndsEveryRequestAtOnce) {
  EventLog log;
  connect({}, offer(), &log);
  ASSERT_TRUE(initialize().ok());
  Task<Reply<Json>> call = client_->call_tool("hang", Json::object(), soon());
  call.start();
  loop_.run_until(loop_.now() + seconds(1));
  client_->close();
  ASSERT_TRUE(call.done());
  EXPECT_EQ(call.result().error().kind, Kind::kDisconnected);
  EXPECT_EQ(client_->close_reason(), "closed by the client");
  loop_.run();
  EXPECT_TRUE(server_->closed());
  EXPECT_EQ(log.lines.back(),
            R"(client request_ended {"id":2,"method":"tools/call","outcome":"disconnected"})");
}

TEST_F(SessionTest, EventsTellTheWholeConversation) {
  EventLog log;
  connect({}, offer(), &log);
  ASSERT_TRUE(initialize().ok());
  log.lines.clear();
  EXPECT_TRUE(wait(client_->ping(soon())).ok());
  EXPECT_EQ(log.lines,
            (Lines{R"(client request_started {"id":2,"method":"ping"})",
                   R"(client message_sent {"id":2,"jsonrpc":"2.0","method":"ping"})",
                   R"(client message_received {"id":2,"jsonrpc":"2.0","result":{}})",
                   R"(client request_ended {"id":2,"method":"ping","outcome":"answer"})"}));
}

}  // namespace
}  // namespace plumbline::mcp
