#include "core/service/chat/chat_api.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/service/chat/chat_fixture.h"
#include "core/service/chat/registry_catalog.h"

namespace plumbline::service {
namespace {

constexpr std::string_view kTalk = R"({"turns": [
    {"role": "user", "when": "mail", "always": true,
     "calls": [{"name": "send_email", "arguments": {"to": "x"}}]},
    {"role": "user", "when": "read", "always": true,
     "calls": [{"name": "read_file", "arguments": {}}]},
    {"role": "user", "when": "fail", "always": true, "fails": {"status": 401, "message": "no"}},
    {"role": "user", "when": "slow", "always": true, "text": "One two three.", "piece_ms": 1000},
    {"role": "tool", "always": true, "text": "I got: {{last}}"},
    {"always": true, "text": "Hello to you."}]})";

// Events are what came of a stream: its names and data, in order.
struct Events final : net::HttpAnswerReader {
  Events(net::HttpClient& client, const wire::Url& to, wire::HttpRequest request)
      : answer(client, to, std::move(request), *this, kNever) {}

  void on_answer_event(net::HttpAnswer&, wire::SseEvent event) override {
    if (event.data.empty()) return;
    names.push_back(event.event);
    data.push_back(parse_json(event.data).value());
    if (event.id) last = *event.id;
  }
  void on_answer_over(net::HttpAnswer&, const Error*, bool) override { over = true; }

  std::string text() const {
    std::string out;
    for (const Json& one : data) out += string_or(one, "delta", "");
    return out;
  }

  std::vector<std::string> names;
  std::vector<Json> data;
  std::string last;
  bool over = false;
  net::HttpAnswer answer;
};

TEST(ChatApiTest, ATurnHasTheShapeOfTheDocument) {
  ChatWorld world(kTalk);
  const wire::HttpResponse answer = world.say("ann", {{"input", "hi"}});
  ASSERT_EQ(answer.status, 200) << answer.body;
  const Json body = ChatWorld::json(answer);
  EXPECT_EQ(body["session"]["id"], body["sessionId"]);
  EXPECT_EQ(body["session"]["userId"], "ann");
  EXPECT_TRUE(body["session"]["createdAt"].is_string());
  EXPECT_TRUE(body["session"]["updatedAt"].is_string());
  ASSERT_EQ(body["messages"].size(), 2U);
  EXPECT_EQ(body["messages"][0]["role"], "user");
  EXPECT_EQ(body["messages"][0]["content"], "hi");
  EXPECT_EQ(body["messages"][1], body["response"]);
  EXPECT_EQ(body["response"]["role"], "assistant");
  EXPECT_EQ(body["response"]["content"], "Hello to you.");
  EXPECT_TRUE(body["response"]["createdAt"].is_string());
  EXPECT_NE(body["response"]["id"], body["messages"][0]["id"]);
}

TEST(ChatApiTest, ASessionGoesOnAndRemembers) {
  ChatWorld world(kTalk);
  std::size_t heard = 0;
  world.model.on_prompt([&heard](const auto& prompt) { heard = prompt.messages.size(); });
  const Json first = ChatWorld::json(world.say("ann", {{"input", "read it"}}));
  EXPECT_EQ(first["response"]["content"], "I got: the content");
  ASSERT_EQ(first["messages"].size(), 4U);  // With what the tool has said.
  EXPECT_EQ(first["messages"][2]["role"], "tool");
  const Json next =
      ChatWorld::json(world.say("ann", {{"input", "and now?"}, {"sessionId", first["sessionId"]}}));
  EXPECT_EQ(next["sessionId"], first["sessionId"]);
  EXPECT_EQ(next["messages"].size(), 6U);
  EXPECT_EQ(heard, 6U);  // The system's, four of before, and the new one.
}

TEST(ChatApiTest, RefusesInOneLineWithItsCode) {
  ChatWorld world(kTalk);
  const auto refusal = [&world](const std::string& user, const Json& body) {
    const wire::HttpResponse answer = world.say(user, body);
    return std::to_string(answer.status) + " " + string_or(ChatWorld::json(answer), "error", "") +
           ": " + string_or(ChatWorld::json(answer), "message", "");
  };
  EXPECT_EQ(refusal("ann", {{"input", "hi"}, {"sessionId", "0123"}}),
            "404 session_not_found: there is no such session");
  const Json anns = ChatWorld::json(world.say("ann", {{"input", "hi"}}));
  EXPECT_EQ(refusal("bob", {{"input", "hi"}, {"sessionId", anns["sessionId"]}}),
            "404 session_not_found: there is no such session");
  EXPECT_EQ(refusal("ann", Json::object()).substr(0, 20), "400 invalid_request:");
  EXPECT_EQ(refusal("ann", {{"input", 7}}).substr(0, 27), "400 invalid_request: /input");
  EXPECT_EQ(refusal("ann", {{"input", "hi"}, {"model", "x"}}).substr(0, 27),
            "400 invalid_request: /model");
  EXPECT_EQ(refusal("ann", {{"input", std::string(70'000, 'x')}}).substr(0, 27),
            "400 invalid_request: /input");
  EXPECT_EQ(refusal("ann", {{"input", "fail"}}),
            "502 agent_execution_failed: The model could not answer: no");
  EXPECT_EQ(world.say("eve", {{"input", "hi"}}).status, 401);
}

TEST(ChatApiTest, AFailureIsAMessageOfTheSession) {
  ChatWorld world(kTalk);
  const Json body = ChatWorld::json(world.say("ann", {{"input", "fail"}}));
  const std::string id = body["sessionId"];
  const Json shown = ChatWorld::json(world.get("ann", "/api/agent/sessions/" + id));
  ASSERT_EQ(shown["messages"].size(), 2U);
  EXPECT_EQ(shown["messages"][1]["content"], "The model could not answer: no");
  EXPECT_EQ(shown["messages"][1]["isError"], true);
  EXPECT_EQ(shown["session"]["state"], "idle");
}

TEST(ChatApiTest, WithoutAKeyOrAGateItSaysSo) {
  ChatApiOptions options = chat_options();
  options.model_missing = "OPENAI_API_KEY is not set";
  ChatWorld world(kTalk, options);
  const wire::HttpResponse answer = world.say("ann", {{"input", "hi"}});
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(ChatWorld::json(answer)["error"], "openai_api_key_not_configured");
}

TEST(ChatApiTest, ACallWaitsForItsUserAlone) {
  ChatWorld world(kTalk);
  const wire::HttpResponse asked = world.say("ann", {{"input", "mail x"}});
  ASSERT_EQ(asked.status, 202) << asked.body;
  const Json body = ChatWorld::json(asked);
  EXPECT_EQ(body["response"], nullptr);
  EXPECT_EQ(body["approval"]["name"], "send_email");
  EXPECT_EQ(world.calls("mail"), 0);
  const std::string session = "/api/agent/sessions/" + std::string(body["sessionId"]);
  const Json decision = {{"approvalId", body["approval"]["approval_id"]}, {"approve", true}};
  EXPECT_EQ(world.say("ann", {{"input", "hi"}, {"sessionId", body["sessionId"]}}).status, 409);
  EXPECT_EQ(world.post("bob", session + "/approval", decision).status, 404);
  EXPECT_EQ(world.post("ann", session + "/approval", {{"approvalId", "call-0"}, {"approve", true}})
                .status,
            409);
  EXPECT_EQ(world.calls("mail"), 0);
  const wire::HttpResponse done = world.post("ann", session + "/approval", decision);
  ASSERT_EQ(done.status, 200) << done.body;
  EXPECT_EQ(ChatWorld::json(done)["response"]["content"], "I got: sent");
  EXPECT_EQ(world.calls("mail"), 1);
  EXPECT_EQ(world.post("ann", session + "/approval", decision).status, 409);
  EXPECT_EQ(world.calls("mail"), 1);
}

TEST(ChatApiTest, AStreamTellsWhatHappensAndIsTakenUpWhereItBroke) {
  ChatWorld world(kTalk);
  auto first = std::make_unique<Events>(
      *world.client, world.url("/api/agent/chat"),
      ChatWorld::request("ann", "POST", {{"input", "slow"}, {"stream", true}}));
  world.run_for(std::chrono::milliseconds(1500));
  ASSERT_EQ(first->text(), "One ");
  const std::string last = first->last;
  const Json listed = ChatWorld::json(world.get("ann", "/api/agent/sessions"));
  ASSERT_EQ(listed["sessions"].size(), 1U);
  const std::string id = listed["sessions"][0]["id"];
  first.reset();  // The listener goes away; the turn does not.
  world.run_for(std::chrono::milliseconds(1000));
  wire::HttpRequest again = ChatWorld::request("ann", "GET");
  again.headers.set("Last-Event-ID", last);
  Events second(*world.client, world.url("/api/agent/sessions/" + id + "/events"),
                std::move(again));
  world.run_for(std::chrono::seconds(5));
  EXPECT_EQ(second.text(), "two three.");
  ASSERT_GE(second.names.size(), 2U);
  EXPECT_EQ(second.names[second.names.size() - 2], "message");
  EXPECT_EQ(second.data[second.data.size() - 2]["content"], "One two three.");
  EXPECT_EQ(second.names.back(), "done");
  EXPECT_TRUE(second.over);
}

TEST(ChatApiTest, AStreamTellsOfToolsAndApprovals) {
  ChatWorld world(kTalk);
  Events first(*world.client, world.url("/api/agent/chat"),
               ChatWorld::request("ann", "POST", {{"input", "mail x"}, {"stream", true}}));
  world.run_for(std::chrono::seconds(2));
  EXPECT_EQ(first.names, (std::vector<std::string>{"approval.needed", "done"}));
  const std::string id =
      ChatWorld::json(world.get("ann", "/api/agent/sessions"))["sessions"][0]["id"];
  Events second(
      *world.client, world.url("/api/agent/sessions/" + id + "/approval"),
      ChatWorld::request(
          "ann", "POST",
          {{"approvalId", first.data[0]["approval_id"]}, {"approve", true}, {"stream", true}}));
  world.run_for(std::chrono::seconds(2));
  ASSERT_GE(second.names.size(), 4U);
  EXPECT_EQ(second.names[0], "tool.started");
  EXPECT_EQ(second.names[1], "tool.ended");
  EXPECT_EQ(second.names.back(), "done");
}

TEST(ChatApiTest, WhoGoesAwayFindsTheAnswerLater) {
  ChatWorld world(kTalk);
  Task<Result<wire::HttpResponse>> asking =
      world.asking("/api/agent/chat", ChatWorld::request("ann", "POST", {{"input", "slow"}}));
  asking.start();
  world.run_for(std::chrono::milliseconds(500));
  asking.drop();
  world.run_for(std::chrono::seconds(10));
  const Json listed = ChatWorld::json(world.get("ann", "/api/agent/sessions"));
  const std::string id = listed["sessions"][0]["id"];
  const Json shown = ChatWorld::json(world.get("ann", "/api/agent/sessions/" + id));
  ASSERT_EQ(shown["messages"].size(), 2U);
  EXPECT_EQ(shown["messages"][1]["content"], "One two three.");
}

TEST(ChatApiTest, ASecondTurnAtOnceIsRefused) {
  ChatWorld world(kTalk);
  const Json first = ChatWorld::json(world.say("ann", {{"input", "hi"}}));
  const Json more = {{"input", "slow"}, {"sessionId", first["sessionId"]}};
  Task<Result<wire::HttpResponse>> one =
      world.asking("/api/agent/chat", ChatWorld::request("ann", "POST", more));
  Task<Result<wire::HttpResponse>> two =
      world.asking("/api/agent/chat", ChatWorld::request("ann", "POST", more));
  one.start();
  two.start();
  world.run_for(std::chrono::seconds(10));
  ASSERT_TRUE(one.done() && two.done());
  std::vector<int> statuses = {one.result().value().status, two.result().value().status};
  std::ranges::sort(statuses);
  EXPECT_EQ(statuses, (std::vector<int>{200, 409}));
}

TEST(ChatApiTest, ATurnGoesOnInAnotherProcess) {
  ChatWorld world(kTalk);
  Task<Result<wire::HttpResponse>> asking =
      world.asking("/api/agent/chat", ChatWorld::request("ann", "POST", {{"input", "slow"}}));
  asking.start();
  world.run_for(std::chrono::milliseconds(500));
  world.kill();
  asking.drop();
  world.boot();
  world.run_for(std::chrono::seconds(40));
  const Json listed = ChatWorld::json(world.get("ann", "/api/agent/sessions"));
  ASSERT_EQ(listed["sessions"].size(), 1U);
  EXPECT_EQ(listed["sessions"][0]["state"], "idle");
  const std::string id = listed["sessions"][0]["id"];
  const Json shown = ChatWorld::json(world.get("ann", "/api/agent/sessions/" + id));
  ASSERT_EQ(shown["messages"].size(), 2U);
  EXPECT_EQ(shown["messages"][1]["content"], "One two three.");
}

TEST(ChatApiTest, AnApprovalOutlivesItsProcess) {
  ChatWorld world(kTalk);
  const Json asked = ChatWorld::json(world.say("ann", {{"input", "mail x"}}));
  world.kill();
  world.boot();
  const std::string session = "/api/agent/sessions/" + std::string(asked["sessionId"]);
  const wire::HttpResponse done = world.post("ann", session + "/approval",
                                             {{"approvalId", asked["approval"]["approval_id"]},
                                              {"approve", false},
                                              {"reason", "not now"}});
  EXPECT_EQ(ChatWorld::json(done)["response"]["content"],
            "I got: not called: a person refused: not now");
  EXPECT_EQ(world.calls("mail"), 0);
}

TEST(ChatApiTest, ASessionCanBeForgotten) {
  ChatWorld world(kTalk);
  const std::string id = ChatWorld::json(world.say("ann", {{"input", "hi"}}))["sessionId"];
  const std::string target = "/api/agent/sessions/" + id;
  EXPECT_EQ(world.fetch(target, ChatWorld::request("bob", "DELETE")).status, 404);
  EXPECT_EQ(world.get("ann", target).status, 200);
  EXPECT_EQ(world.fetch(target, ChatWorld::request("ann", "DELETE")).status, 204);
  EXPECT_EQ(world.get("ann", target).status, 404);
  Task<Result<std::vector<Record>>> left = world.records.list("", "", 100);
  ASSERT_TRUE(world.loop.run_task(left).ok());
  for (const Record& record : left.result().value()) ADD_FAILURE() << record.key;
}

TEST(ChatApiTest, ImagesGoInAndTheGraphsStateComesOut) {
  ChatWorld world(kTalk);
  std::string type;
  world.model.on_prompt([&type](const model::Prompt& prompt) {
    for (const auto& message : prompt.messages) {
      if (!message.media.empty()) type = message.media[0].mime_type;
    }
  });
  const Json media = {{{"mimeType", "image/png"}, {"data", "aGk="}}};
  const Json body = ChatWorld::json(world.say("ann", {{"input", "look"}, {"media", media}}));
  EXPECT_EQ(type, "image/png");
  const std::string id = body["sessionId"];
  const Json shown =
      ChatWorld::json(world.get("ann", "/api/agent/sessions/" + id + "?graphState=true"));
  EXPECT_EQ(shown["graphState"]["value"]["final_output"]["status"], "answered_without_mcp");
  EXPECT_EQ(
      world.say("ann", {{"input", "x"}, {"media", {{{"mimeType", "text/html"}, {"data", "x"}}}}})
          .status,
      400);
}

TEST(ChatApiTest, LinksAreOfOneUserAndOutliveTheProcess) {
  constexpr std::string_view kLinks = R"({"turns": [
      {"role": "user", "when": "link", "always": true,
       "calls": [{"name": "add_mcp_server", "arguments": {"mcpServerId": "wiki"}}]},
      {"role": "user", "when": "mine", "always": true,
       "calls": [{"name": "list_my_mcp_servers", "arguments": {}}]},
      {"role": "tool", "always": true, "text": "{{last}}"}]})";
  ChatApiOptions options = chat_options();
  options.servers.linked.clear();
  ChatWorld world(kLinks, options);
  const Json asked = ChatWorld::json(world.say("ann", {{"input", "link it"}}));
  const std::string session = "/api/agent/sessions/" + std::string(asked["sessionId"]);
  EXPECT_EQ(asked["approval"]["name"], "add_mcp_server");
  world.post("ann", session + "/approval",
             {{"approvalId", asked["approval"]["approval_id"]}, {"approve", true}});
  world.kill();
  world.boot();
  const auto mine = [&world](const std::string& user) {
    const Json body = ChatWorld::json(world.say(user, {{"input", "which are mine?"}}));
    return parse_json(std::string(body["response"]["content"])).value()["items"];
  };
  ASSERT_EQ(mine("ann").size(), 1U);
  EXPECT_EQ(mine("ann")[0]["mcpServerId"], "wiki");
  EXPECT_EQ(mine("ann")[0]["server"]["name"], "Wiki");
  EXPECT_EQ(mine("bob").size(), 0U);
  EXPECT_GT(std::ranges::count(world.peers.sent, "wiki tools/list"), 0);
}

// Who was here least lately lets go of his servers, and is served again when he comes back.
TEST(ChatApiTest, IdleUsersKeepNobodyFromConnections) {
  ChatApiOptions options = chat_options();
  options.servers.connections_max = 3;  // Each user has two.
  ChatWorld world(kTalk, options);
  for (const std::string user : {"ann", "bob", "ann", "ann", "bob"}) {
    EXPECT_EQ(world.say(user, {{"input", "read it"}}).status, 200) << user;
  }
  // Whoever comes back after another one finds them closed; nobody else does.
  EXPECT_EQ(world.peers.connects["files"], 4);
  EXPECT_EQ(world.peers.connects["mail"], 4);
}

// Users say things at once, the process dies at any time, and comes back: nothing that was said is
// lost, every call is answered, nothing runs without approval or twice, and nobody sees another's.
RC_GTEST_PROP(ChatApiProp, NothingIsLostWhateverDies, ()) {
  ChatWorld world(kTalk, chat_options(), *rc::gen::arbitrary<std::uint64_t>());
  std::map<std::string, std::string> sessions;
  std::map<std::string, std::vector<std::string>> accepted;
  std::int64_t approved = 0;
  for (int left = *rc::gen::inRange(1, 8); left > 0; --left) {
    const std::string user = *rc::gen::element<std::string>("ann", "bob");
    Json body = {{"input", *rc::gen::element<std::string>("mail x", "read it", "slow", "hi") + " " +
                               std::to_string(left)}};
    if (sessions.contains(user)) body["sessionId"] = sessions[user];
    Task<Result<wire::HttpResponse>> asking =
        world.asking("/api/agent/chat", ChatWorld::request(user, "POST", body));
    asking.start();
    world.run_for(std::chrono::milliseconds(*rc::gen::inRange(0, 4'000)));
    const bool dies = *rc::gen::inRange(0, 3) == 0;
    if (dies) {
      world.kill();
      asking.drop();
      world.boot();
    }
    world.run_for(std::chrono::seconds(60));
    if (!dies && asking.done() && asking.result().ok() && asking.result().value().status < 300) {
      const Json said = ChatWorld::json(asking.result().value());
      sessions[user] = said["sessionId"];
      accepted[user].push_back(body["input"]);
      if (said.contains("approval")) {
        const bool yes = *rc::gen::arbitrary<bool>();
        approved += yes ? 1 : 0;
        world.post(user, "/api/agent/sessions/" + sessions[user] + "/approval",
                   {{"approvalId", said["approval"]["approval_id"]}, {"approve", yes}});
      }
    }
  }
  RC_ASSERT(world.calls("mail") <= approved);
  for (const auto& [user, id] : sessions) {
    const Json shown = ChatWorld::json(world.get(user, "/api/agent/sessions/" + id));
    std::vector<std::string> said;
    std::set<std::string> open;
    for (const Json& message : shown["messages"]) {
      if (message["role"] == "user") said.push_back(message["content"]);
      if (message.contains("toolCalls")) {
        for (const Json& call : message["toolCalls"]) open.insert(std::string(call["id"]));
      }
      if (message["role"] == "tool") RC_ASSERT(open.erase(std::string(message["toolCallId"])) == 1);
    }
    RC_ASSERT(open.empty());
    for (const std::string& input : accepted[user]) {
      RC_ASSERT(std::ranges::find(said, input) != said.end());
    }
    const std::string other = user == "ann" ? "bob" : "ann";
    RC_ASSERT(world.get(other, "/api/agent/sessions/" + id).status == 404);
  }
}

}  // namespace
}  // namespace plumbline::service
