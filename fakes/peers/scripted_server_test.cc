#include "fakes/peers/scripted_server.h"

#include <chrono>

#include <gtest/gtest.h>

#include "fakes/peers/wire_peer.h"
#include "fakes/testing/channel_log.h"
#include "fakes/testing/event_log.h"
#include "fakes/world/value_channel.h"

namespace plumbline::fakes {
namespace {

using net::ExitStatus;
using std::chrono::milliseconds;

class ScriptedServerTest : public testing::Test {
 protected:
  // start runs `text` as a child process and opens the session.
  void start(std::string_view text) {
    const Result<Json> json = parse_json(text);
    check(json.ok(), "the test's own JSON is broken");
    Result<ServerScript, Problem> script = parse_server_script(json.value());
    ASSERT_TRUE(script.ok()) << script.error().pointer << ": " << script.error().message;
    peer_.reset();
    child_.reset();
    script_ = std::move(script).value();
    memory_ = ServerMemory("demo");
    spawner_.add("demo", {}, scripted_program(script_, {loop_, ledger_, memory_}));
    restart();
  }
  void restart() {
    peer_.reset();
    child_ = spawn();
    peer_ = std::make_unique<WirePeer>(loop_, child_->stdio());
    hello_ = peer_->shake_hands();
  }
  std::unique_ptr<net::Child> spawn() {
    Result<std::unique_ptr<net::Child>> child = spawner_.spawn(net::Command({"demo"}));
    check(child.ok(), "the server does not start");
    return std::move(child).value();
  }
  // start_tool runs a server with the one tool "t" that does `steps`.
  void start_tool(std::string_view steps) {
    start(R"({"tools": [{"name": "t", "effect": {}, "does": )" + std::string(steps) + "}]}");
  }
  std::vector<std::string> call(const Json& id, Json arguments = Json::object()) {
    return lines(peer_->ask(id, "tools/call",
                            {{"name", "t"},
                             {"arguments", std::move(arguments)},
                             {"_meta", {{"progressToken", "tok"}}}}));
  }
  static std::vector<std::string> lines(const std::vector<Json>& messages) {
    std::vector<std::string> text;
    for (const Json& message : messages) text.push_back(dump_json(message));
    return text;
  }
  std::int64_t now_ms() const { return milliseconds_of(loop_.now().time_since_epoch()); }

  using Lines = std::vector<std::string>;

  SimLoop loop_;
  EventLog events_;
  EffectLedger ledger_{loop_, events_};
  ServerMemory memory_{"demo"};
  SimSpawner spawner_{loop_, Rng(1), events_};
  ServerScript script_;
  std::unique_ptr<net::Child> child_;
  std::unique_ptr<WirePeer> peer_;
  Json hello_;
};

constexpr std::string_view kDone =
    R"({"id":1,"jsonrpc":"2.0","result":{"content":[{"text":"t is done","type":"text"}]}})";

TEST_F(ScriptedServerTest, ItNegotiatesTheRevisionItSpeaks) {
  start(R"({"revision": "2025-06-18"})");
  EXPECT_EQ(hello_["result"]["protocolVersion"], "2025-06-18");
  child_.reset();
  peer_.reset();
  for (const auto& [asked, given] :
       {std::pair("2024-11-05", "2024-11-05"), std::pair("2099-01-01", "2025-06-18")}) {
    child_ = spawn();
    WirePeer peer(loop_, child_->stdio());
    EXPECT_EQ(peer.shake_hands(asked)["result"]["protocolVersion"], given);
    child_.reset();
  }
}

TEST_F(ScriptedServerTest, AToolRunsAndCommitsItsEffectOnce) {
  start_tool("[]");
  EXPECT_EQ(call(1, {{"to", "x"}}), Lines{std::string(kDone)});
  ASSERT_EQ(ledger_.effects().size(), 1U);
  EXPECT_EQ(ledger_.effects()[0].key, R"({"to":"x"})");
  EXPECT_EQ(ledger_.effects()[0].tool, "t");
  EXPECT_EQ(ledger_.effects()[0].server, "demo");
}

TEST_F(ScriptedServerTest, ADelayPostponesTheAnswer) {
  start_tool(R"([{"delay_ms": 250}])");
  EXPECT_EQ(call(1), Lines{std::string(kDone)});
  EXPECT_EQ(now_ms(), 250);
}

TEST_F(ScriptedServerTest, AReplyIsFilledWithTheArguments) {
  start_tool(R"([{"reply": {"content": [], "structuredContent": {"path": "{{path}}"}}}])");
  EXPECT_EQ(call(1, {{"path", "/tmp"}}), Lines{R"({"id":1,"jsonrpc":"2.0","result":{"content":[],)"
                                               R"("structuredContent":{"path":"/tmp"}}})"});
}

TEST_F(ScriptedServerTest, AnErrorCommitsNothing) {
  start_tool(R"([{"error": {"code": -32000, "message": "no", "data": [1]}}])");
  EXPECT_EQ(call(1),
            Lines{R"({"error":{"code":-32000,"data":[1],"message":"no"},"id":1,"jsonrpc":"2.0"})"});
  EXPECT_EQ(ledger_.total(), 0);
}

TEST_F(ScriptedServerTest, AToolErrorIsAResultThatCommitsNothing) {
  start_tool(R"([{"tool_error": "no {{x}}"}])");
  EXPECT_EQ(call(1, {{"x", 5}}),
            Lines{R"({"id":1,"jsonrpc":"2.0","result":{"content":[{"text":"no 5","type":"text"}],)"
                  R"("isError":true}})"});
  EXPECT_EQ(ledger_.total(), 0);
}

TEST_F(ScriptedServerTest, AnEffectStepCommitsAtOnceWhateverFollows) {
  start_tool(R"([{"effect": {"key": "to {{to}}", "idempotent": true}}, {"hang": true}])");
  EXPECT_EQ(call(1, {{"to", "me"}}), Lines{});
  ASSERT_EQ(ledger_.effects().size(), 1U);
  EXPECT_EQ(ledger_.effects()[0].key, "to me");
  EXPECT_TRUE(ledger_.effects()[0].idempotent);
}

TEST_F(ScriptedServerTest, NotificationsAndProgressPrecedeTheAnswer) {
  start_tool(R"([{"notify": {"method": "notifications/message", "params": {"data": "hi"}}},
                 {"progress": [0.5, {"progress": 2, "total": 4}]}])");
  EXPECT_EQ(call(1), (Lines{R"({"jsonrpc":"2.0","method":"notifications/message",)"
                            R"("params":{"data":"hi"}})",
                            R"({"jsonrpc":"2.0","method":"notifications/progress",)"
                            R"("params":{"progress":0.5,"progressToken":"tok"}})",
                            R"({"jsonrpc":"2.0","method":"notifications/progress",)"
                            R"("params":{"progress":2,"progressToken":"tok","total":4}})",
                            std::string(kDone)}));
}

TEST_F(ScriptedServerTest, WithoutATokenThereIsNoProgress) {
  start_tool(R"([{"progress": [1]}])");
  EXPECT_EQ(lines(peer_->ask(1, "tools/call", {{"name", "t"}})), Lines{std::string(kDone)});
}

TEST_F(ScriptedServerTest, ARequestToTheClientIsAwaited) {
  start_tool(R"([{"request": {"method": "roots/list"}}])");
  EXPECT_EQ(call(1), Lines{R"({"id":"server-1","jsonrpc":"2.0","method":"roots/list"})"});
  peer_->send({{"jsonrpc", "2.0"}, {"id", "server-9"}, {"result", Json::object()}});
  EXPECT_EQ(lines(peer_->settle()), Lines{});
  peer_->send({{"jsonrpc", "2.0"}, {"id", "server-1"}, {"result", Json::object()}});
  EXPECT_EQ(lines(peer_->settle()), Lines{std::string(kDone)});
}

TEST_F(ScriptedServerTest, ARequestMayHaveAnIdOfItsOwn) {
  start_tool(R"([{"request": {"method": "ping", "id": "1"}}])");
  EXPECT_EQ(call(1), Lines{R"({"id":"1","jsonrpc":"2.0","method":"ping"})"});
  peer_->send({{"jsonrpc", "2.0"}, {"id", 1}, {"result", Json::object()}});
  EXPECT_EQ(lines(peer_->settle()), Lines{}) << "1 is not \"1\"";
  peer_->send({{"jsonrpc", "2.0"}, {"id", "1"}, {"result", Json::object()}});
  EXPECT_EQ(lines(peer_->settle()), Lines{std::string(kDone)});
}

TEST_F(ScriptedServerTest, AHangNeverAnswers) {
  start_tool(R"([{"hang": true}, {"reply": {}}])");
  EXPECT_EQ(call(1), Lines{});
  EXPECT_TRUE(loop_.idle());
}

TEST_F(ScriptedServerTest, GarbageIsSentAsItIsBesideTheAnswer) {
  start_tool(R"([{"garbage": "oops\n"}, {"garbage_base64": "/woK"}])");
  EXPECT_EQ(call(1).back(), kDone);
  EXPECT_NE(peer_->log().text.find("oops\n\xff\n\n{"), std::string::npos);
}

TEST_F(ScriptedServerTest, ARawMessageStandsInForTheAnswer) {
  start_tool(R"([{"raw": ["any", 1]}])");
  EXPECT_EQ(call(1), Lines{R"(["any",1])"});
}

TEST_F(ScriptedServerTest, ADuplicateRepeatsTheLastAnswerAndItsEffectIsOne) {
  start_tool(R"([{"duplicate": true}])");
  EXPECT_EQ(call(1), (Lines{std::string(kDone), std::string(kDone)}));
  EXPECT_EQ(ledger_.total(), 1);
  start_tool(R"([{"tool_error": "x"}, {"duplicate": true}])");
  const Lines twice = call(1);
  ASSERT_EQ(twice.size(), 2U);
  EXPECT_EQ(twice[0], twice[1]);
}

TEST_F(ScriptedServerTest, ACancellationStopsADelayButNotALateAnswer) {
  for (const bool late : {false, true}) {
    start_tool(late ? R"([{"late": 100}])" : R"([{"delay_ms": 100}])");
    peer_->request(1, "tools/call", {{"name", "t"}});
    peer_->settle(loop_.now() + milliseconds(50));
    peer_->notify("notifications/cancelled", {{"requestId", 1}});
    EXPECT_EQ(lines(peer_->settle()), late ? Lines{std::string(kDone)} : Lines{});
  }
}

TEST_F(ScriptedServerTest, HoldAndReleaseReorderAnswers) {
  start(R"({"tools": [{"name": "first", "does": [{"hold": "gate"}]},
                      {"name": "second", "does": [{"tool_error": "2"}, {"release": "gate"}]}]})");
  EXPECT_EQ(lines(peer_->ask(1, "tools/call", {{"name", "first"}})), Lines{});
  const std::vector<Json> answers = peer_->ask(2, "tools/call", {{"name", "second"}});
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0]["id"], 2);
  EXPECT_EQ(answers[1]["id"], 1);
  EXPECT_EQ(peer_->ask(3, "tools/call", {{"name", "first"}}).size(), 1U);
}

TEST_F(ScriptedServerTest, ReplyToAnswersUnderAnotherId) {
  start_tool(R"([{"reply_to": "other"}])");
  EXPECT_EQ(call(1), Lines{R"({"id":"other","jsonrpc":"2.0","result":{"content":)"
                           R"([{"text":"t is done","type":"text"}]}})"});
}

TEST_F(ScriptedServerTest, CloseEndsItsOutputInOrderAndItLivesOn) {
  start_tool(R"([{"close": true}])");
  EXPECT_EQ(call(1), Lines{});
  EXPECT_TRUE(peer_->log().ended);
  EXPECT_FALSE(peer_->log().error);
  EXPECT_FALSE(child_->exit_status());
}

TEST_F(ScriptedServerTest, ResetBreaksTheConnection) {
  start_tool(R"([{"reset": true}])");
  EXPECT_EQ(call(1), Lines{});
  ASSERT_TRUE(peer_->log().error);
  EXPECT_EQ(peer_->log().error->code, ErrorCode::kDisconnected);
}

TEST_F(ScriptedServerTest, ACrashEndsTheProcessAsItSays) {
  start_tool(R"([{"crash": {"signal": 9}}, {"effect": {}}])");
  EXPECT_EQ(call(1), Lines{});
  EXPECT_EQ(child_->exit_status(), (ExitStatus{0, 9}));
  EXPECT_EQ(ledger_.total(), 0);
  start_tool(R"([{"crash": {"exit": 3}}])");
  call(1);
  EXPECT_EQ(child_->exit_status(), (ExitStatus{3, 0}));
}

TEST_F(ScriptedServerTest, StderrIsWrittenAtStartAndByStep) {
  start(R"({"stderr": "hello\n", "tools": [{"name": "t",
            "does": [{"stderr": "x", "repeat": 200000}]}]})");
  EXPECT_EQ(child_->stderr_tail(), "hello\n");
  call(1);
  EXPECT_EQ(child_->stderr_tail(), std::string(limits::kStderrBytesMax, 'x'));
}

TEST_F(ScriptedServerTest, HalfALineIsHalfOfTheAnswerAndNoMore) {
  start_tool(R"([{"half_line": true}])");
  EXPECT_EQ(call(1), Lines{});
  EXPECT_EQ(peer_->unread(), kDone.substr(0, kDone.size() / 2));
  EXPECT_EQ(ledger_.total(), 1);
}

TEST_F(ScriptedServerTest, ARuleCountsOverRestarts) {
  start(R"({"tools": [{"name": "t"}, {"name": "u"}], "on": [
      {"method": "tools/call", "name": "t", "nth": 2, "do": [{"crash": {"signal": 9}}]}]})");
  EXPECT_EQ(call(1).size(), 1U);
  peer_->ask(2, "tools/call", {{"name", "u"}});
  EXPECT_FALSE(child_->exit_status());
  call(3);
  EXPECT_TRUE(child_->exit_status());
  restart();
  EXPECT_EQ(call(1).size(), 1U);
  EXPECT_EQ(memory_.starts, 2);
}

TEST_F(ScriptedServerTest, ARuleMayBeAboutTheStartANotificationOrAnUnknownMethod) {
  start(R"({"on": [
      {"method": "startup", "do": [{"garbage": "Welcome!\n"}]},
      {"method": "notifications/initialized", "do": [{"notify": {"method": "n"}}]},
      {"method": "x/y", "do": [{"reply": {"z": 1}}]}]})");
  EXPECT_TRUE(peer_->log().text.starts_with("Welcome!\n"));
  EXPECT_NE(peer_->log().text.find(R"({"jsonrpc":"2.0","method":"n"})"), std::string::npos);
  EXPECT_EQ(lines(peer_->ask(1, "x/y")), Lines{R"({"id":1,"jsonrpc":"2.0","result":{"z":1}})"});
}

TEST_F(ScriptedServerTest, ARuleMayAskForWhatIsNotThere) {
  start(R"({"tools": [{"name": "t"}], "on": [{"method": "tools/call", "without": "arguments",
      "do": [{"error": {"code": -32602, "message": "expected object"}}]}]})");
  EXPECT_TRUE(lines(peer_->ask(1, "tools/call", {{"name", "t"}})).at(0).starts_with(R"({"error")"));
  const Json given = {{"name", "t"}, {"arguments", Json::object()}};
  EXPECT_FALSE(lines(peer_->ask(2, "tools/call", given)).at(0).starts_with(R"({"error")"));
}

TEST_F(ScriptedServerTest, ACrashAtTheStartIsAnExitBeforeAnyAnswer) {
  start(R"({"on": [{"method": "startup", "nth": 1, "do": [{"crash": {"exit": 1}}]}]})");
  EXPECT_EQ(hello_, Json());
  EXPECT_EQ(child_->exit_status(), (ExitStatus{1, 0}));
  restart();
  EXPECT_TRUE(hello_.contains("result"));
}

TEST_F(ScriptedServerTest, StartupAndLatencyTakeTheirTime) {
  start(R"({"startup_ms": 1000, "latency_ms": 10})");
  EXPECT_EQ(now_ms(), 1'010);
  peer_->ask(1, "ping");
  EXPECT_EQ(now_ms(), 1'020);
}

TEST_F(ScriptedServerTest, AnUnauthorizedToolRefusesEveryCall) {
  start(R"({"tools": [{"name": "t", "auth": false, "effect": {}, "does": [{"hang": true}]}]})");
  EXPECT_EQ(call(1), Lines{R"({"error":{"code":-32001,"data":{"status":401},)"
                           R"("message":"Unauthorized"},"id":1,"jsonrpc":"2.0"})"});
  EXPECT_EQ(ledger_.total(), 0);
}

TEST_F(ScriptedServerTest, TheEndOfItsInputEndsIt) {
  start_tool(R"([{"hang": true}])");
  call(1);
  child_->stdio().close_write();
  peer_->settle();
  EXPECT_EQ(child_->exit_status(), ExitStatus());
}

TEST_F(ScriptedServerTest, ItMayIgnoreTerminate) {
  start(R"({"ignores_term": true, "deviations": ["ignores_stdin_close"]})");
  Task<Result<ExitStatus>> stop = net::stop(loop_, *child_, std::chrono::seconds(2));
  ASSERT_TRUE(loop_.run_task(stop).ok());
  EXPECT_EQ(stop.result().value(), (ExitStatus{0, 9}));
  EXPECT_EQ(now_ms(), 4'000);
}

TEST_F(ScriptedServerTest, DroppingEverythingMidwayLeavesTheLoopIdle) {
  start_tool(R"([{"delay_ms": 100}, {"request": {"method": "roots/list"}}, {"hold": "x"}])");
  for (int id = 1; id < 20; ++id) peer_->request(id, "tools/call", {{"name", "t"}});
  peer_->settle(loop_.now() + milliseconds(50));
  EXPECT_FALSE(loop_.idle());
  child_.reset();
  EXPECT_TRUE(loop_.idle());
}

TEST_F(ScriptedServerTest, ANotificationCanComeAgainAndAgain) {
  start_tool(R"([{"notify": {"method": "notifications/message", "params": {"data": "{{to}}"},
                             "times": 3, "every_ms": 100}}])");
  const std::string once =
      R"({"jsonrpc":"2.0","method":"notifications/message","params":{"data":"x"}})";
  EXPECT_EQ(call(1, {{"to", "x"}}), (Lines{once, once, once, std::string(kDone)}));
  EXPECT_EQ(now_ms(), 200) << "it waits between two of them, and not behind the last";
  peer_->request(2, "tools/call", {{"name", "t"}});
  peer_->settle(loop_.now() + milliseconds(150));
  peer_->notify("notifications/cancelled", {{"requestId", 2}});
  EXPECT_TRUE(peer_->settle().empty()) << "a cancellation cuts it short";
  EXPECT_EQ(parse_server_script(parse_json(R"({"on": [{"method": "ping", "do": [
              {"notify": {"method": "x", "every_ms": 5}}]}]})")
                                    .value())
                .error()
                .message,
            "a notification has no \"times\", expected how often");
}

// The second write goes beyond what the pipe holds.
constexpr std::string_view kNoisy = R"([{"stderr": "x", "repeat": 60000},
                                        {"stderr": "y", "repeat": 60000}, {"stderr": "last"}])";

TEST_F(ScriptedServerTest, StderrThatIsReadHoldsNobodyUp) {
  start_tool(kNoisy);
  EXPECT_EQ(call(1), Lines{std::string(kDone)});
  EXPECT_TRUE(child_->stderr_tail().ends_with("ylast"));
}

TEST_F(ScriptedServerTest, StderrThatNobodyReadsFreezesTheServerOnceThePipeIsFull) {
  spawner_.leave_stderr();
  start_tool(R"([{"stderr": "x", "repeat": 60000}])");
  EXPECT_EQ(call(1), Lines{std::string(kDone)}) << "there is room";
  EXPECT_EQ(child_->stderr_tail(), "");
  EXPECT_EQ(call(2), Lines{}) << "the write does not end";
  EXPECT_EQ(lines(peer_->ask(3, "ping")), Lines{}) << "and nothing else is read";
  EXPECT_EQ(ledger_.total(), 1);
  child_->stdio().close_write();
  peer_->settle();
  EXPECT_FALSE(child_->exit_status()) << "not even the end of its input";
  child_->signal(net::Signal::kTerminate);
  peer_->settle();
  EXPECT_EQ(child_->exit_status(), (ExitStatus{0, 15}));
}

TEST_F(ScriptedServerTest, RawBytesCanCarryTheIdOfTheRequest) {
  start_tool(R"([{"garbage": "{\"jsonrpc\":\"2.0\",\"id\":{{id}},\"result\":{}} {{x}}\n"},
                 {"raw": {"id": "{{id}}", "note": "of {{id}}"}}])");
  EXPECT_EQ(call("a"), (Lines{R"({"not_json":"{\"jsonrpc\":\"2.0\",\"id\":\"a\",)"
                              R"(\"result\":{}} {{x}}"})",
                              R"({"id":"a","note":"of \"a\""})"}));
  EXPECT_EQ(call(7).back(), R"({"id":7,"note":"of 7"})");
}

TEST_F(ScriptedServerTest, OverValuesACrashBreaksTheConnection) {
  const Json json = {{"on",
                      {{{"method", "ping"}, {"do", {{{"crash", {{"exit", 0}}}}}}},
                       {{"method", "x"}, {"do", {{{"crash", {{"signal", 9}}}}}}}}}};
  const Result<ServerScript, Problem> script = parse_server_script(json);
  ASSERT_TRUE(script.ok()) << script.error().pointer << script.error().message;
  for (const char* const method : {"ping", "x"}) {
    ValueChannelPair pair = make_value_channel(loop_, {}, Rng(1));
    ScriptedServer server(script.value(), {loop_, ledger_, memory_}, make_server_port(*pair.far));
    ChannelLog log;
    pair.near->start(log);
    server.start();
    pair.near->send({{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}});
    ASSERT_TRUE(loop_.run_until_idle(100).ok());
    EXPECT_TRUE(log.closed);
    EXPECT_EQ(log.error.has_value(), std::string_view(method) == "x");
  }
}

}  // namespace
}  // namespace plumbline::fakes
