// The connector over real client sessions, and servers that are a few lines of script.

#include "core/connector/agent_connector.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/task_group.h"
#include "core/connector/mcp_hub_fixture.h"
#include "core/metrics/prometheus_text.h"

namespace plumbline::connector {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using Kind = mcp::Failure::Kind;
using State = ConnectionState;

class AgentConnectorTest : public McpHubTest {
 protected:
  AgentConnector& connector() {
    options_.connect_timeout = seconds(10);
    options_.request_timeout = seconds(5);
    made_ = std::make_unique<AgentConnector>(
        loop_, [this](const std::string&) -> transport::Connector& { return connector_; }, options_,
        redactor_, nullptr, &metrics_);
    made_->on_state([this](const PoolKey& key, const StateChange& change) {
      moves_.push_back(key.agent + " " + std::string(name_of(change.to)));
    });
    return *made_;
  }

  void add(const std::string& agent) {
    serve(agent, kOneTool);
    made_->add({agent, {}, {}, {}});
  }

  // add_paced adds an agent that takes so many requests a second, two at once.
  void add_paced(const std::string& agent, double per_second) {
    RateLimitConfig rate;
    rate.requests_per_second = per_second;
    rate.burst_capacity = 2;
    serve(agent, kOneTool);
    made_->add({agent, {}, rate, {}});
  }

  AgentConnector::Call call_of(const std::string& agent, const std::string& principal = "") {
    AgentConnector::Call call;
    call.principal = principal;
    call.request = request_to(agent);
    call.time_max = minutes(2);
    return call;
  }

  // answer makes the call and returns what came of it as soon as it is there.
  mcp::Reply<Json> answer(AgentConnector::Call call) {
    mcp::Reply<Json> out = Json();
    time_of(made_->call(std::move(call)), &out);
    return out;
  }

  void pass(Duration span) {
    const Instant until = loop_.now() + span;
    time_of([](Loop& loop, Instant when) -> Task<int> {
      co_await Sleep(loop, when);
      co_return 0;
    }(loop_, until));
  }

  State state(const std::string& agent) { return made_->status(agent)->state; }

  ConnectorOptions options_;
  metrics::Metrics metrics_;
  std::vector<std::string> moves_;
  std::unique_ptr<AgentConnector> made_;
};

TEST_F(AgentConnectorTest, TheOperationsOfTheDocument) {
  connector();
  serve("a", kOneTool);
  mcp::Reply<mcp::ServerInfo> opened = mcp::ServerInfo();
  time_of(made_->connect({"a", {}, {}, {}}), &opened);
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(opened.value().name, "scripted");
  EXPECT_NE(made_->connection("a"), nullptr);
  EXPECT_EQ(made_->connection("b"), nullptr);
  EXPECT_EQ(made_->connections(), std::vector<std::string>{"a"});
  EXPECT_EQ(state("a"), State::kConnected);
  EXPECT_FALSE(made_->status("b").has_value());
  EXPECT_EQ(made_->stats().total, 1U);
  finish(made_->disconnect("a"));
  EXPECT_EQ(made_->connection("a"), nullptr);
  EXPECT_TRUE(made_->connections().empty());
  EXPECT_EQ(world_.log, std::vector<std::string>{"closed a"});
  EXPECT_EQ(moves_, (std::vector<std::string>{"a connecting", "a connected", "a disconnected"}));
  EXPECT_TRUE(loop_.idle());
}

TEST_F(AgentConnectorTest, TwentyCallsAfterALossOpenOneConnection) {
  connector();
  add("a");
  EXPECT_TRUE(answer(call_of("a")).ok());
  time_of(made_->hang_up({"a", ""}, "lost"));
  std::deque<Task<mcp::Reply<Json>>> calls;
  for (int i = 0; i < 20; ++i) calls.push_back(made_->call(call_of("a")));
  for (auto& call : calls) call.start();
  loop_.run();
  for (auto& call : calls) EXPECT_TRUE(call.done() && call.result().ok());
  EXPECT_EQ(world_.connects["a"], 2);
}

TEST_F(AgentConnectorTest, NoConnectionIsSharedByTwoPrincipals) {
  connector();
  add("a");
  EXPECT_TRUE(answer(call_of("a", "ann")).ok());
  EXPECT_TRUE(answer(call_of("a", "bob")).ok());
  EXPECT_TRUE(answer(call_of("a", "ann")).ok());
  EXPECT_EQ(world_.connects["a"], 2);
  EXPECT_NE(made_->connection("a", "ann"), made_->connection("a", "bob"));
}

TEST_F(AgentConnectorTest, ConnectionsAreBoundedAndIdleOnesMakeRoom) {
  options_.pool.connections_max = 2;
  connector();
  for (const char* const agent : {"a", "b", "c"}) {
    add(agent);
    EXPECT_TRUE(answer(call_of(agent)).ok());
    EXPECT_LE(made_->stats().total, 2U);
  }
  EXPECT_EQ(made_->connection("a"), nullptr) << "the longest idle one";
  EXPECT_EQ(state("a"), State::kDisconnected);
}

TEST_F(AgentConnectorTest, AnUnhealthyAgentGetsProbesAloneUntilItAnswers) {
  connector();
  add("a");
  EXPECT_TRUE(answer(call_of("a")).ok());
  world_.scripts["a"].mute = {"tools/call", "ping"};
  while (made_->health().status("a").status != Health::kUnhealthy) {
    EXPECT_FALSE(answer(call_of("a")).ok());
  }
  const std::int64_t calls = sent("a tools/call");
  const Instant ill = loop_.now();
  int refused = 0;
  while (loop_.now() < ill + minutes(3)) {
    const mcp::Reply<Json> reply = answer(call_of("a"));
    refused += !reply.ok() && reply.error().message.find("unhealthy") != std::string::npos;
    pass(seconds(1));
  }
  EXPECT_EQ(sent("a tools/call"), calls) << "no traffic";
  EXPECT_GT(refused, 50);
  EXPECT_LE(sent("a ping"), 20);
  world_.scripts["a"].mute.clear();
  pass(minutes(1));
  EXPECT_TRUE(answer(call_of("a")).ok()) << "the probes before it let it through";
  EXPECT_EQ(made_->health().status("a").status, Health::kDegraded);
}

TEST_F(AgentConnectorTest, WhatMayBeRepeatedGoesToAnotherAgentThatHasIt) {
  for (ErrorHandlingStrategy& one : options_.retries.strategies) {
    one.fallback = Fallback::kAnotherAgent;
  }
  connector();
  add("a");
  add("b");
  world_.scripts["a"].dies_after = 1;
  AgentConnector::Call call = call_of("a");
  call.may_repeat = true;
  call.others = {"nobody", "b"};
  EXPECT_TRUE(answer(std::move(call)).ok());
  EXPECT_EQ(world_.log.back(), "call b");
  EXPECT_EQ(made_->status("a")->stats.retries, 1);
}

TEST_F(AgentConnectorTest, WhatMayHaveChangedSomethingIsSentOnce) {
  for (ErrorHandlingStrategy& one : options_.retries.strategies) {
    one.fallback = Fallback::kAnotherAgent;
    one.retry = true;
  }
  connector();
  add("a");
  add("b");
  world_.scripts["a"].dies_after = 1;
  AgentConnector::Call call = call_of("a");
  call.others = {"b"};
  EXPECT_FALSE(answer(std::move(call)).ok());
  EXPECT_EQ(sent("a tools/call") + sent("b tools/call"), 1);
  world_.scripts["c"].refuses = true;
  made_->add({"c", {}, {}, {}});
  AgentConnector::Call unsent = call_of("c");
  unsent.others = {"b"};
  EXPECT_TRUE(answer(std::move(unsent)).ok()) << "nothing had been sent";
}

TEST_F(AgentConnectorTest, RetriesAreATenthOfTheRequestsAndAFewMore) {
  connector();
  add("a");
  world_.scripts["a"].errors["tools/call"] =
      json(R"({"code": -32000, "message": "slow down", "data": {"status": 429}})");
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(answer(call_of("a")).ok());
  EXPECT_GT(made_->status("a")->stats.retries, 10);
  EXPECT_LE(made_->status("a")->stats.retries, 100 / 10 + RetryBudget::kReserve);
}

TEST_F(AgentConnectorTest, AnAgentThatIsTakenOutIsNotBroughtBackByARetry) {
  connector();
  add("a");
  EXPECT_TRUE(answer(call_of("a")).ok());
  world_.scripts["a"].mute = {"tools/call"};
  AgentConnector::Call call = call_of("a");
  call.may_repeat = true;
  Task<mcp::Reply<Json>> calling = made_->call(std::move(call));
  calling.start();
  made_->remove("a");
  loop_.run();
  ASSERT_TRUE(calling.done());
  EXPECT_FALSE(calling.result().ok());
  EXPECT_EQ(world_.connects["a"], 1);
  EXPECT_EQ(made_->stats().total, 0U);
}

TEST_F(AgentConnectorTest, WhatWasBeingOpenedForTheOneBeforeIsNotGivenToTheNext) {
  connector();
  add("a");
  Task<mcp::Reply<Json>> calling = made_->call(call_of("a"));
  calling.start();
  made_->remove("a");
  add("a");
  loop_.run();
  ASSERT_TRUE(calling.done());
  EXPECT_FALSE(calling.result().ok());
  EXPECT_TRUE(answer(call_of("a")).ok());
  EXPECT_EQ(world_.connects["a"], 2);
}

TEST_F(AgentConnectorTest, AnIdleConnectionThatHasDiedIsFoundByItsHeartbeat) {
  options_.pool.heartbeat_interval = seconds(30);
  connector();
  add("a");
  EXPECT_TRUE(answer(call_of("a")).ok());
  pass(seconds(31));
  EXPECT_EQ(sent("a ping"), 1);
  world_.scripts["a"].hangs = true;
  pass(seconds(40));
  EXPECT_EQ(made_->connection("a"), nullptr);
  world_.scripts["a"].hangs = false;
  EXPECT_TRUE(answer(call_of("a")).ok()) << "and replaced";
  EXPECT_EQ(world_.connects["a"], 2);
  time_of(made_->close());
}

TEST_F(AgentConnectorTest, TheLimitHoldsForAllThatIsSentAndThePeerSlowsIt) {
  connector();
  add_paced("a", 2);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(answer(call_of("a")).ok());  // Six, with initialize.
  EXPECT_EQ(loop_.now(), Instant(seconds(2)));
  EXPECT_GT(made_->status("a")->stats.held, 0);
  world_.scripts["a"].errors["tools/call"] = json(
      R"({"code": -32000, "message": "slow down", "data": {"status": 429, "retryAfter": 20}})");
  AgentConnector::Call call = call_of("a");
  call.time_max = seconds(4);
  EXPECT_FALSE(answer(std::move(call)).ok());
  world_.scripts["a"].errors.clear();
  const Instant refused = loop_.now();
  options_.retries = RetryStrategies();
  EXPECT_FALSE(answer(call_of("a")).ok()) << "it asked for 20 s, and a request waits for 5";
  pass(seconds(16));
  EXPECT_TRUE(answer(call_of("a")).ok());
  EXPECT_GE(loop_.now(), refused + seconds(20));
}

TEST_F(AgentConnectorTest, ARequestThatIsTakenBackWhileItWaitsIsNeverSent) {
  connector();
  add_paced("a", 1);
  EXPECT_TRUE(answer(call_of("a")).ok());
  Task<mcp::Reply<Json>> calling = made_->call(call_of("a"));
  calling.start();
  pass(milliseconds(10));
  calling.drop();
  pass(seconds(5));
  EXPECT_EQ(sent("a tools/call"), 1);
}

TEST_F(AgentConnectorTest, ARequestThatWaitsForItsPaceIsNotSentToAnAgentThatFallsIllMeanwhile) {
  connector();
  add_paced("a", 1);
  EXPECT_TRUE(answer(call_of("a")).ok());
  Task<mcp::Reply<Json>> calling = made_->call(call_of("a"));
  calling.start();
  while (made_->health().allows("a")) made_->health().note("a", seconds(1), true);
  pass(seconds(2));
  EXPECT_EQ(sent("a tools/call"), 1);
  while (!answer(call_of("a")).ok()) pass(seconds(1));
  EXPECT_EQ(sent("a ping"), 2) << "they overtake what waits";
}

TEST_F(AgentConnectorTest, StatesAreEventsWithTheirReasonsAndNumbers) {
  connector();
  add("a");
  EXPECT_TRUE(answer(call_of("a")).ok());
  world_.scripts["b"].refuses = true;
  made_->add({"b", {}, {}, {}});
  AgentConnector::Call call = call_of("b");
  call.time_max = seconds(1);
  EXPECT_FALSE(answer(std::move(call)).ok());
  EXPECT_EQ(state("b"), State::kError);
  EXPECT_EQ(made_->status("b")->last_error.find("sk-hub-secret-1"), std::string::npos);
  const std::string text = metrics::prometheus_text(metrics_);
  for (const char* const line :
       {"plumbline_connector_state_changes_total{plumbline_agent=\"a\","
        "plumbline_state=\"connected\"} 1\n",
        "plumbline_connector_health{plumbline_agent=\"a\"} 0\n",
        "plumbline_connector_connections{plumbline_state=\"idle\"} 1\n",
        "mcp_client_operation_duration_seconds_count{mcp_method_name=\"tools/call\","
        "plumbline_agent=\"a\"} 1\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
}

}  // namespace
}  // namespace plumbline::connector
