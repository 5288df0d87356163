// The hub over real client sessions, and servers that are a few lines of script.

#include "core/connector/mcp_hub.h"

#include "core/connector/mcp_hub_fixture.h"

namespace plumbline::connector {
namespace {

using std::chrono::seconds;

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
  Discovery found;
  const Instant done = time_of(hub({"down", "slow", "good", "mute"}).discover(), &found);
  ASSERT_EQ(found.manifest.servers.size(), 1U);
  EXPECT_EQ(found.manifest.servers[0].server, "good");
  ASSERT_EQ(found.problems.size(), 3U);
  EXPECT_EQ(found.problems[0].server, "down");
  EXPECT_EQ(found.problems[0].kind, mcp::FailureClass::kNetwork);
  EXPECT_EQ(found.problems[1].kind, mcp::FailureClass::kTimeout);
  EXPECT_EQ(found.problems[2].kind, mcp::FailureClass::kTimeout);
  EXPECT_EQ(done, Instant(seconds(10)));
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
  EXPECT_EQ(world_.log, (std::vector<std::string>{"call a", "closed a", "call a"}));
}

TEST_F(McpHubTest, AnOlderServerThatDiesOfAProbeIsStartedAgainAndRemembered) {
  serve("a", kOneTool);
  world_.scripts["a"].dies_of_probe = true;
  world_.scripts["a"].dies_after = 0;
  client_.preferred = mcp::kLatest;
  EXPECT_EQ(finish(hub({"a"}).discover()).manifest.servers.size(), 1U);
  EXPECT_EQ(world_.connects["a"], 2);
  EXPECT_TRUE(call("a").ok());
  EXPECT_EQ(world_.log, (std::vector<std::string>{"probe a", "closed a", "call a"}))
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

TEST_F(McpHubTest, JsonBlocksOfAgentsOfLangGraphAreTextAndStructure) {
  for (const char* const agent : {"langgraph:research", "another"}) {
    serve(agent, kOneTool);
    world_.scripts[agent].results["tools/call"] =
        json(R"({"content": [{"type": "json", "data": {"hits": 2}}]})");
  }
  finish(hub({"langgraph:research", "another"}).discover());
  EXPECT_EQ(call("langgraph:research").value(),
            json(R"({"content": [{"type": "text", "text": "{\"hits\":2}"}],
                     "structuredContent": {"hits": 2}})"));
  EXPECT_EQ(call("another").value()["content"][0]["type"], "json");
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

TEST_F(McpHubTest, AServerThatIsAddedIsAskedFromThenOn) {
  serve("a", kOneTool);
  serve("b", kOneTool);
  EXPECT_EQ(finish(hub({"a"}).discover()).manifest.servers.size(), 1U);
  hub_->add("b");
  hub_->add("a");
  const Discovery found = finish(hub_->discover());
  ASSERT_EQ(found.manifest.servers.size(), 2U);
  EXPECT_EQ(found.manifest.servers[1].server, "b");
  EXPECT_EQ(world_.connects["a"], 1);
  EXPECT_TRUE(call("b").ok());
}

TEST_F(McpHubTest, AServerThatIsRemovedIsClosedAndAskedNoMore) {
  serve("a", kOneTool);
  serve("b", kOneTool);
  finish(hub({"a", "b"}).discover());
  hub_->remove("a");
  hub_->remove("nobody");
  loop_.run();
  EXPECT_EQ(world_.log, (std::vector<std::string>{"closed a"}));
  const Discovery found = finish(hub_->discover());
  ASSERT_EQ(found.manifest.servers.size(), 1U);
  EXPECT_EQ(found.manifest.servers[0].server, "b");
  EXPECT_TRUE(found.problems.empty());
  const mcp::Reply<Json> refused = call("a");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "the server is not in the configuration any more");
  EXPECT_EQ(world_.connects["a"], 1);
}

TEST_F(McpHubTest, ACallUnderWayEndsWhenItsServerIsRemoved) {
  serve("a", kOneTool);
  finish(hub({"a"}).discover());
  world_.scripts["a"].mute.insert("tools/call");
  Task<mcp::Reply<Json>> calling = hub_->invoke(request_to("a"));
  calling.start();
  ASSERT_FALSE(calling.done());
  const Instant before = loop_.now();
  hub_->remove("a");
  while (!calling.done()) ASSERT_TRUE(loop_.step());
  ASSERT_FALSE(calling.result().ok());
  EXPECT_EQ(calling.result().error().kind, mcp::Failure::Kind::kDisconnected);
  EXPECT_LT(loop_.now(), before + seconds(1));
}

TEST_F(McpHubTest, AServerIsNotLetInThatIsRemovedWhileItOpens) {
  serve("a", kOneTool);
  serve("b", kOneTool);
  Task<Discovery> discovering = hub({"a", "b"}).discover();
  discovering.start();
  hub_->remove("a");
  while (!discovering.done()) ASSERT_TRUE(loop_.step());
  ASSERT_EQ(discovering.result().manifest.servers.size(), 1U);
  EXPECT_EQ(discovering.result().manifest.servers[0].server, "b");
  EXPECT_TRUE(discovering.result().problems.empty());
}

TEST_F(McpHubTest, AServerThatComesBackIsMetAsForTheFirstTime) {
  serve("a", kOneTool);
  finish(hub({"a"}).discover());
  hub_->remove("a");
  hub_->add("a");
  const Discovery found = finish(hub_->discover());
  EXPECT_EQ(found.manifest.servers.size(), 1U);
  EXPECT_EQ(world_.connects["a"], 2);
  finish(hub_->close());
  EXPECT_EQ(std::ranges::count(world_.log, "closed a"), 2);
}

TEST_F(McpHubTest, ARequestForOnePlaceIsNotSentToAnother) {
  serve("files", kOneTool);
  hub({"files"});
  const Discovery found = finish(hub_->discover());
  ASSERT_EQ(found.manifest.servers.size(), 1U);
  EXPECT_EQ(found.manifest.servers[0].place, "at here");
  McpRequest request = request_to("files");
  request.place = found.manifest.servers[0].place_digest;
  EXPECT_TRUE(finish(hub_->invoke(McpRequest(request))).ok());
  world_.scripts["files"].place = "there with sk-hub-secret-1";
  finish(hub_->connector().hang_up({"files", ""}, "moved"));
  const mcp::Reply<Json> moved = finish(hub_->invoke(McpRequest(request)));
  ASSERT_FALSE(moved.ok());
  EXPECT_EQ(moved.error().kind, mcp::Failure::Kind::kRefused);
  EXPECT_EQ(sent("files tools/call"), 1);
  const Discovery later = finish(hub_->discover());
  EXPECT_EQ(later.manifest.servers[0].place, "at there with [redacted]");
  EXPECT_NE(later.manifest.servers[0].place_digest, request.place);
}

}  // namespace
}  // namespace plumbline::connector
