// The hub beside servers that hang, forget and change: what they cost, and what is done about it.

#include "core/connector/mcp_hub.h"

#include "core/connector/mcp_hub_fixture.h"

namespace plumbline::connector {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using Kind = mcp::Failure::Kind;

class McpHubTroubleTest : public McpHubTest {
 protected:
  // modern makes `server` one of revision 2026-07-28 whose list stays fresh for an hour.
  void modern(const std::string& server, std::string_view tools) {
    serve(server, tools);
    Script& script = world_.scripts[server];
    script.results["server/discover"] =
        json(R"({"resultType": "complete", "supportedVersions": ["2026-07-28"], "ttlMs": 0,
                 "cacheScope": "private", "capabilities": {"tools": {"listChanged": true}}})");
    Json list = json(R"({"resultType": "complete", "ttlMs": 3600000, "cacheScope": "private"})");
    list["tools"] = json(tools);
    script.results["tools/list"] = std::move(list);
    client_.preferred = mcp::kLatest;
  }

  void tell_of_a_change(const std::string& server, int subscription) {
    Json told = json(R"({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})");
    told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] = subscription;
    world_.channels[server]->say(std::move(told));
    loop_.run();
  }

  Discovery discover() {
    Discovery found;
    time_of(hub_->discover(), &found);
    return found;
  }
};

// --- A server that is alive and answers nothing.

TEST_F(McpHubTroubleTest, ADeafServerIsStartedAgainAfterTwoSilentRequestsAndAPing) {
  serve("a", kOneTool);
  EXPECT_EQ(finish(hub({"a"}).discover()).manifest.servers.size(), 1U);
  world_.scripts["a"].hangs = true;
  EXPECT_EQ(call("a").error().kind, Kind::kTimeout);
  EXPECT_EQ(world_.connects["a"], 1) << "one silent request may be a slow tool";
  const mcp::Reply<Json> second = call("a");
  EXPECT_EQ(second.error().kind, Kind::kTimeout);
  EXPECT_NE(second.error().message.find("its connection is given up"), std::string::npos);
  EXPECT_EQ(sent("a ping"), 1);
  EXPECT_EQ(world_.log.back(), "closed a");
  world_.scripts["a"].hangs = false;
  EXPECT_TRUE(call("a").ok()) << "it is started again at once";
  EXPECT_EQ(world_.connects["a"], 2);
}

TEST_F(McpHubTroubleTest, AServerThatAnswersAPingIsLeftAlone) {
  serve("a", kOneTool);
  finish(hub({"a"}).discover());
  world_.scripts["a"].mute = {"tools/call"};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(call("a").error().kind, Kind::kTimeout);
  EXPECT_EQ(sent("a ping"), 2) << "what is heard starts the count anew";
  EXPECT_EQ(world_.connects["a"], 1);
}

TEST_F(McpHubTroubleTest, WhereThereIsNoPingTheServerIsAskedWhatItIs) {
  modern("a", kOneTool);
  finish(hub({"a"}).discover());
  world_.scripts["a"].mute = {"tools/call"};
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(call("a").ok());
  EXPECT_EQ(sent("a server/discover"), 2);
  EXPECT_EQ(world_.connects["a"], 1);
  world_.scripts["a"].mute.insert("server/discover");
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(call("a").ok());
  world_.scripts["a"].mute.clear();
  EXPECT_TRUE(call("a").ok());
  EXPECT_EQ(world_.connects["a"], 2);
}

TEST_F(McpHubTroubleTest, AServerThatStaysDeafIsNotStartedAsOftenAsSomebodyAsks) {
  serve("a", kOneTool);
  finish(hub({"a"}).discover());
  world_.scripts["a"].mute = {"tools/list", "tools/call", "ping"};
  int refused = 0;
  for (int i = 0; i < 60; ++i) {
    refused += call("a").error().kind == Kind::kDisconnected ? 1 : 0;
    const Instant later = loop_.now() + seconds(2);
    time_of([](Loop& loop, Instant when) -> Task<int> {
      co_await Sleep(loop, when);
      co_return 0;
    }(loop_, later));
  }
  EXPECT_GT(refused, 20);
  EXPECT_GE(world_.connects["a"], 3);
  EXPECT_LE(world_.connects["a"], 12);
}

// --- A server that is slow to tell what it offers.

TEST_F(McpHubTroubleTest, AServerWhoseListHangsIsWaitedForOnce) {
  serve("good", kOneTool);
  serve("slow", kOneTool);
  world_.scripts["slow"].mute = {"tools/list"};
  hub({"slow", "good"});
  EXPECT_EQ(discover().manifest.capability_count(), 1U);
  EXPECT_EQ(loop_.now(), Instant(seconds(10)));
  EXPECT_EQ(discover().manifest.capability_count(), 1U);
  const Instant then = loop_.now();
  EXPECT_LT(then, Instant(seconds(11))) << "it has a moment, when it is asked again";
  for (int i = 0; i < 5; ++i) {
    const Discovery found = discover();
    EXPECT_EQ(found.manifest.capability_count(), 1U);
    ASSERT_EQ(found.problems.size(), 1U);
    EXPECT_EQ(found.problems[0].kind, mcp::FailureClass::kTimeout);
    EXPECT_EQ(loop_.now(), then) << "nobody waits again";
  }
  EXPECT_EQ(sent("slow tools/list"), 2) << "it is asked in the background, once at a time";
}

TEST_F(McpHubTroubleTest, AServerThatIsQuickAgainIsFoundInTheBackground) {
  serve("good", kOneTool);
  serve("slow", kOneTool);
  world_.scripts["slow"].mute = {"tools/list"};
  hub({"slow", "good"});
  discover();
  world_.scripts["slow"].mute.clear();
  discover();
  loop_.run();
  EXPECT_EQ(discover().manifest.capability_count(), 2U);
  EXPECT_TRUE(discover().problems.empty());
}

TEST_F(McpHubTroubleTest, WhatASlowServerHasToldStandsMeanwhile) {
  serve("a", kOneTool);
  world_.scripts["a"].results["initialize"] =
      json(R"({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "prompts": {}},
               "serverInfo": {"name": "scripted", "version": "1"}})");
  world_.scripts["a"].mute = {"prompts/list"};
  hub({"a"});
  EXPECT_EQ(discover().manifest.capability_count(), 1U);
  const Instant then = loop_.now();
  EXPECT_EQ(discover().manifest.capability_count(), 1U);
  EXPECT_LT(loop_.now(), then + seconds(1));
}

TEST_F(McpHubTroubleTest, TheOnlyServerIsWaitedForAgainButLessAndLessOften) {
  serve("a", kOneTool);
  world_.scripts["a"].mute = {"tools/list"};
  hub({"a"});
  discover();
  world_.scripts["a"].mute.clear();
  EXPECT_EQ(discover().manifest.capability_count(), 1U) << "it is waited for";
  world_.scripts["a"].mute = {"tools/list"};
  for (int i = 0; i < 8; ++i) discover();
  EXPECT_LE(loop_.now(), Instant(minutes(2)));
}

TEST_F(McpHubTroubleTest, ClosingDoesNotWaitForWhatGoesOnInTheBackground) {
  serve("good", kOneTool);
  serve("slow", kOneTool);
  world_.scripts["slow"].mute = {"tools/list"};
  hub({"slow", "good"});
  discover();
  discover();
  finish(hub_->close());
  EXPECT_LT(loop_.now(), Instant(seconds(12)));
  EXPECT_TRUE(loop_.idle());
}

// --- A list that is not what it was, or has no end.

TEST_F(McpHubTroubleTest, AnUnknownToolMakesTheListBeReadOnceMore) {
  serve("a", kOneTool);
  hub({"a"});
  discover();
  world_.scripts["a"].errors["tools/call"] =
      json(R"({"code": -32602, "message": "Unknown tool: t"})");
  const mcp::Reply<Json> there = call("a");
  EXPECT_EQ(there.error().message, "Unknown tool: t") << "it is still listed";
  EXPECT_EQ(sent("a tools/list"), 2);
  EXPECT_EQ(sent("a tools/call"), 1) << "and not called again";
  world_.scripts["a"].tools = json(R"([{"name": "u", "inputSchema": {"type": "object"}}])");
  const mcp::Reply<Json> gone = call("a");
  EXPECT_EQ(gone.error().message,
            "Unknown tool: t; the server has changed its list, and it is not there any more");
  EXPECT_EQ(sent("a tools/list"), 3);
}

TEST_F(McpHubTroubleTest, AListThatWasFreshIsNotBelievedOnceItsToolIsUnknown) {
  modern("a", kOneTool);
  world_.scripts["a"].results["server/discover"]["capabilities"] = json(R"({"tools": {}})");
  hub({"a"});
  discover();
  world_.scripts["a"].results["tools/call"] = error_result("Unknown tool: t");
  EXPECT_TRUE(call("a").ok());
  world_.scripts["a"].results["tools/list"]["tools"][0]["name"] = "u";
  EXPECT_EQ(discover().manifest.servers.at(0).capabilities.at(0).name, "u");
}

TEST_F(McpHubTroubleTest, AListWhoseCursorDoesNotAdvanceKeepsWhatWasRead) {
  serve("a", kOneTool);
  world_.scripts["a"].results["tools/list"] =
      json(R"({"tools": [{"name": "t", "inputSchema": {"type": "object"}}], "nextCursor": "x"})");
  hub({"a"});
  const Discovery found = discover();
  EXPECT_EQ(found.manifest.capability_count(), 1U);
  ASSERT_EQ(found.problems.size(), 1U);
  EXPECT_EQ(found.problems[0].message,
            "the answer breaks the protocol: tools/list is cut: "
            "tools: cursor \"x\" comes a second time");
}

// --- Tasks.

class McpHubTaskTest : public McpHubTroubleTest {
 protected:
  void offer_tasks(std::string_view tasks) {
    serve("a", R"([{"name": "t", "inputSchema": {"type": "object"},
                    "execution": {"taskSupport": "required"}}])");
    Script& script = world_.scripts["a"];
    script.results["initialize"] =
        json(R"({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                 "serverInfo": {"name": "scripted", "version": "1"}})");
    script.results["initialize"]["capabilities"]["tasks"] = json(tasks);
    const Json task = json(R"({"taskId": "k", "status": "working", "ttl": null,
                               "createdAt": "2026-11-22T00:00:00Z", "pollInterval": 1000,
                               "lastUpdatedAt": "2026-11-22T00:00:00Z"})");
    script.results["tools/call"]["task"] = task;
    script.results["tasks/get"] = task;
    script.results["tasks/get"]["status"] = "completed";
    script.results["tasks/result"] = text_result("done");
  }

  mcp::Reply<Json> call_as_task() {
    McpRequest request = request_to("a");
    request.as_task = true;
    return finish(hub_->invoke(std::move(request)));
  }
};

TEST_F(McpHubTaskTest, AToolThatWantsItIsCalledAsATask) {
  offer_tasks(R"({"requests": {"tools": {"call": {}}}})");
  hub({"a"});
  EXPECT_TRUE(discover().manifest.servers.at(0).capabilities.at(0).as_task);
  EXPECT_EQ(call_as_task().value(), text_result("done"));
  EXPECT_EQ(sent("a tasks/result"), 1);
}

TEST_F(McpHubTaskTest, AServerThatDeclaresNoTasksIsSentNone) {
  offer_tasks("{}");
  Json plain = text_result("plain");
  plain["task"]["taskId"] = "what the server calls so";
  world_.scripts["a"].results["tools/call"] = plain;
  hub({"a"});
  EXPECT_EQ(call_as_task().value(), plain);
  EXPECT_EQ(sent("a tasks/get"), 0);
}

TEST_F(McpHubTaskTest, ATaskThatIsLostLeavesOpenWhatBecameOfIt) {
  offer_tasks(R"({"requests": {"tools": {"call": {}}}})");
  world_.scripts["a"].errors["tasks/get"] = json(R"({"code": -32602, "message": "no such task"})");
  hub({"a"});
  const mcp::Reply<Json> reply = call_as_task();
  EXPECT_EQ(reply.error().kind, Kind::kInvalidReply);
  EXPECT_EQ(mcp::classify(reply.error()), mcp::FailureClass::kProtocol);
}

// --- Changes of the lists, in revision 2026-07-28.

TEST_F(McpHubTroubleTest, AChangeIsHeardOfWhileTheListWouldStillBeFresh) {
  modern("a", kOneTool);
  hub({"a"});
  EXPECT_EQ(discover().manifest.servers.at(0).capabilities.at(0).name, "t");
  EXPECT_EQ(sent("a subscriptions/listen"), 1);
  world_.scripts["a"].results["tools/list"]["tools"][0]["name"] = "u";
  EXPECT_EQ(discover().manifest.servers.at(0).capabilities.at(0).name, "t") << "fresh";
  tell_of_a_change("a", 2);
  EXPECT_EQ(discover().manifest.servers.at(0).capabilities.at(0).name, "u");
  EXPECT_EQ(sent("a tools/list"), 2);
  EXPECT_EQ(sent("a subscriptions/listen"), 1);
}

TEST_F(McpHubTroubleTest, AStreamThatEndsIsOpenedAgainAtAPace) {
  modern("a", kOneTool);
  hub({"a"});
  int id = 2;
  for (int i = 0; i < 20; ++i) {
    discover();
    loop_.run();
    Json end = json(R"({"jsonrpc": "2.0", "result": {"resultType": "complete"}})");
    end["id"] = id;
    world_.channels["a"]->say(std::move(end));
    loop_.run();
    id += 2;  // What comes next is the list, and then the next stream.
  }
  EXPECT_EQ(world_.connects["a"], 1);
  EXPECT_GE(sent("a subscriptions/listen"), 2);
  EXPECT_LE(sent("a subscriptions/listen"), 3) << "no time has passed";
}

TEST_F(McpHubTroubleTest, AServerThatKnowsNoSubscriptionsIsAskedOnce) {
  modern("a", kOneTool);
  world_.scripts["a"].errors["subscriptions/listen"] =
      json(R"({"code": -32601, "message": "Method not found"})");
  hub({"a"});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(discover().problems.empty());
  EXPECT_EQ(sent("a subscriptions/listen"), 1);
}

TEST_F(McpHubTroubleTest, WhoCannotTellOfChangesIsNotAsked) {
  serve("old", kOneTool);
  modern("a", kOneTool);
  world_.scripts["a"].results["server/discover"]["capabilities"] = json(R"({"tools": {}})");
  hub({"a", "old"});
  discover();
  EXPECT_EQ(sent("a subscriptions/listen") + sent("old subscriptions/listen"), 0);
}

}  // namespace
}  // namespace plumbline::connector
