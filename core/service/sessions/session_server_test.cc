#include "core/service/sessions/session_server.h"

#include "core/service/sessions/service_fixture.h"

namespace plumbline::service {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

Json call_params(const std::string& tool, Json arguments) {
  return {{"name", tool}, {"arguments", std::move(arguments)}};
}

std::string mcp_path(const std::string& code) { return "/api/sessions/" + code + "/mcp"; }

std::string text_of(const Json& answer) {
  const Json* const text = at_pointer(answer, "/result/content/0/text");
  return text != nullptr && text->is_string() ? text->get<std::string>() : dump_json(answer);
}

class SessionServerTest : public testing::Test {
 protected:
  Json call(const std::string& code, const std::string& tool, Json arguments) {
    return ServiceWorld::answer_of(world_.fetch(
        mcp_path(code), ServiceWorld::mcp("tools/call", call_params(tool, std::move(arguments)))));
  }
  Json tools_of(const std::string& code) {
    const Json answer = ServiceWorld::answer_of(
        world_.fetch(mcp_path(code), ServiceWorld::mcp("tools/list", Json::object())));
    Json names = Json::array();
    for (const Json& tool : *at_pointer(answer, "/result/tools")) {
      names.push_back(string_or(tool, "name", ""));
    }
    return names;
  }

  ServiceWorld world_;
};

Json own_tool(const std::string& name) {
  return {{"name", name}, {"inputSchema", {{"type", "object"}}}};
}

TEST_F(SessionServerTest, ASessionHasACodeOfEightAndEndsInAnHour) {
  const wire::HttpResponse made = world_.post("/api/sessions", Json::object());
  EXPECT_EQ(made.status, 201);
  const Json body = ServiceWorld::json(made);
  EXPECT_TRUE(is_code(string_or(body, "code", "")));
  EXPECT_EQ(int_or(body, "ttl", 0), 3'600);
  EXPECT_EQ(string_or(body, "expiresAt", ""),
            rfc3339(world_.clock.since_1970() + std::chrono::hours(1)));
}

TEST_F(SessionServerTest, ACallOverMcpIsDoneByTheWorker) {
  const std::string code = world_.open_session();
  const auto worker = world_.worker(code);
  EXPECT_EQ(worker->events(), std::vector<std::string>{"connection"});
  const Json answer = call(code, "create_codap_graph", graph_arguments());
  EXPECT_TRUE(text_of(answer).starts_with("\u2705 Tool executed successfully\n\n{\n  \"asked\": {"))
      << text_of(answer);
  EXPECT_EQ(*at_pointer(answer, "/result/isError"), false);
}

TEST_F(SessionServerTest, AFailureOfTheWorkerIsAnErrorOfTheTool) {
  const std::string code = world_.open_session();
  const auto worker = world_.worker(code, {.fail_percent = 100});
  const Json answer = call(code, "create_codap_graph", graph_arguments());
  EXPECT_TRUE(text_of(answer).starts_with("\u274c Tool execution failed: the worker failed"));
  EXPECT_EQ(*at_pointer(answer, "/result/isError"), true);
}

TEST_F(SessionServerTest, TheDataOfADatasetComesWithTheRequest) {
  const std::string code = world_.open_session();
  const auto worker = world_.worker(code);
  std::vector<Json> requests;
  worker->on_call = [&](const Json& request) { requests.push_back(request); };
  for (int times = 0; times < 2; ++times) {
    call(code, "create_codap_dataset",
         {{"datasetName", "d"}, {"dataType", "sample_students"}, {"recordCount", 12}});
  }
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_EQ(at_pointer(requests[0], "/dataset/records")->size(), 12U);
  EXPECT_EQ(requests[0]["dataset"], requests[1]["dataset"]);
  EXPECT_EQ(string_or(requests[0], "type", ""), "tool_request");
}

TEST_F(SessionServerTest, EverythingThatIsWrongWithArgumentsIsTold) {
  const std::string code = world_.open_session();
  const Json answer =
      call(code, "create_codap_dataset", {{"dataType", "none"}, {"recordCount", 1'001}});
  const std::string text = text_of(answer);
  for (const char* part : {"Invalid arguments: ", "datasetName", "/dataType", "/recordCount"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  EXPECT_EQ(*at_pointer(answer, "/result/isError"), true);
}

TEST_F(SessionServerTest, RefusalsOfMcpAreInTheCodesOfTheSpecification) {
  const std::string code = world_.open_session();
  const Json unknown = call(code, "nothing", Json::object());
  EXPECT_EQ(*at_pointer(unknown, "/error/code"), -32602);
  EXPECT_EQ(*at_pointer(unknown, "/error/data/toolName"), "nothing");
  const wire::HttpResponse nowhere =
      world_.fetch(mcp_path("ABCDEFGH"), ServiceWorld::mcp("tools/list", Json::object()));
  EXPECT_EQ(nowhere.status, 404);
  EXPECT_EQ(*at_pointer(ServiceWorld::json(nowhere), "/error/data/sessionId"), "ABCDEFGH");
}

TEST(SessionServerCodesTest, RefusalsAreInTheCodesOfTheDocumentWhereThatIsSaid) {
  SessionServerOptions options;
  options.codes = Codes::kDocument;
  ServiceWorld world(std::move(options));
  const std::string code = world.open_session();
  const auto ask = [&](const std::string& whose, const std::string& tool, Json arguments) {
    return ServiceWorld::answer_of(world.fetch(
        mcp_path(whose), ServiceWorld::mcp("tools/call", call_params(tool, std::move(arguments)))));
  };
  const Json unknown = ask(code, "nothing", Json::object());
  EXPECT_EQ(*at_pointer(unknown, "/error/code"), -32601);
  EXPECT_EQ(*at_pointer(unknown, "/error/message"), "Tool not found");
  const Json wrong = ask(code, "create_codap_graph", Json::object());
  EXPECT_EQ(*at_pointer(wrong, "/error/code"), -32602);
  EXPECT_EQ(*at_pointer(wrong, "/error/message"), "Invalid arguments");
  EXPECT_EQ(at_pointer(wrong, "/error/data/errors")->size(), 3U) << dump_json(wrong);
  const Json nowhere = ask("ABCDEFGH", "create_codap_graph", graph_arguments());
  EXPECT_EQ(*at_pointer(nowhere, "/error/code"), -32602);
  EXPECT_EQ(*at_pointer(nowhere, "/error/message"), "Invalid session");
}

TEST_F(SessionServerTest, WithoutACodeThereAreTheGlobalToolsAndNobodyToCall) {
  const Json answer = ServiceWorld::answer_of(world_.fetch(
      "/mcp",
      ServiceWorld::mcp("tools/call", call_params("create_codap_graph", graph_arguments()))));
  EXPECT_EQ(text_of(answer), "Invalid session");
  const std::string code = world_.open_session();
  const auto worker = world_.worker(code);
  for (const std::string& path :
       {std::string("/api/mcp?sessionCode=" + code), std::string("/mcp")}) {
    wire::HttpHeaders headers;
    if (path == "/mcp") headers.set("X-Session-Code", code);
    const Json done = ServiceWorld::answer_of(world_.fetch(
        path, ServiceWorld::mcp("tools/call", call_params("create_codap_graph", graph_arguments()),
                                std::move(headers))));
    EXPECT_TRUE(text_of(done).starts_with("\u2705")) << text_of(done);
  }
}

TEST_F(SessionServerTest, TheOlderEndpointsQueueACallAndTellItsOutcome) {
  const std::string code = world_.open_session();
  const auto worker = world_.worker(code);
  const Json asked = {{"sessionCode", code},
                      {"requestId", "r1"},
                      {"toolName", "create_codap_graph"},
                      {"params", graph_arguments()}};
  const wire::HttpResponse queued = world_.post("/api/request", asked);
  EXPECT_EQ(queued.status, 202);
  EXPECT_EQ(ServiceWorld::json(queued), (Json{{"id", "r1"}, {"status", "queued"}}));
  EXPECT_EQ(world_.post("/api/request", asked).status, 409);
  world_.run_for(seconds(1));
  const Json done =
      ServiceWorld::json(world_.get("/api/response?sessionCode=" + code + "&requestId=r1"));
  EXPECT_EQ(string_or(done, "status", ""), "done");
  EXPECT_EQ(*at_pointer(done, "/result/did"), "r1");
}

TEST_F(SessionServerTest, TheOlderEndpointsRefuseInTheCodesOfTheDocumentAndSayThatTheyGo) {
  const std::string code = world_.open_session();
  const auto refused = [&](Json body) {
    body["requestId"] = "r";
    return world_.post("/api/request", body);
  };
  const wire::HttpResponse nowhere = refused({{"sessionCode", "ABCDEFGH"}, {"toolName", "t"}});
  EXPECT_EQ(nowhere.status, 404);
  EXPECT_EQ(*at_pointer(ServiceWorld::json(nowhere), "/error/message"), "Invalid session");
  const wire::HttpResponse unknown = refused({{"sessionCode", code}, {"toolName", "t"}});
  EXPECT_EQ(unknown.status, 404);
  EXPECT_EQ(*at_pointer(ServiceWorld::json(unknown), "/error/code"), -32601);
  const wire::HttpResponse wrong =
      refused({{"sessionCode", code}, {"toolName", "create_codap_graph"}});
  EXPECT_EQ(wrong.status, 400);
  EXPECT_EQ(at_pointer(ServiceWorld::json(wrong), "/error/data/errors")->size(), 3U);
  EXPECT_TRUE(wrong.headers.get("Deprecation").value_or("").starts_with("@"));
  EXPECT_FALSE(world_.post("/api/sessions", Json::object()).headers.get("Deprecation"));
}

TEST_F(SessionServerTest, ARestartLosesNoSessionAndNoTool) {
  const std::string code = world_.open_session();
  const auto worker = world_.worker(code);
  EXPECT_EQ(world_.post("/api/sessions/" + code + "/tools", {{"tools", {own_tool("mine")}}}).status,
            200);
  world_.kill();
  world_.run_for(seconds(3));
  world_.boot();
  world_.run_for(seconds(3));
  EXPECT_TRUE(worker->connected());
  EXPECT_EQ(tools_of(code), (Json{"create_codap_dataset", "create_codap_graph", "mine"}));
  EXPECT_TRUE(text_of(call(code, "mine", Json::object())).starts_with("\u2705"));
}

TEST_F(SessionServerTest, AnExpiredSessionServesNothing) {
  const std::string code = world_.open_session();
  const auto worker = world_.worker(code);
  world_.run_for(minutes(61));
  EXPECT_EQ(worker->events().back(), "session_expired");
  EXPECT_EQ(world_.fetch(mcp_path(code), ServiceWorld::mcp("tools/list", Json::object())).status,
            404);
  EXPECT_EQ(world_.get("/api/metadata?sessionCode=" + code).status, 404);
  EXPECT_EQ(world_.server->book().sessions().size(), 0U);
  world_.kill();
  world_.boot();
  EXPECT_EQ(world_.get("/api/metadata?sessionCode=" + code).status, 404);
}

TEST_F(SessionServerTest, ADeletedSessionIsGone) {
  const std::string code = world_.open_session();
  const auto worker = world_.worker(code);
  EXPECT_EQ(world_.fetch("/api/sessions/" + code, ServiceWorld::request("DELETE")).status, 204);
  world_.run_for(seconds(1));
  EXPECT_EQ(worker->events().back(), "session_expired");
  EXPECT_EQ(world_.get("/api/sessions/" + code).status, 404);
}

TEST_F(SessionServerTest, ToolsAreOfOneSession) {
  const std::string one = world_.open_session();
  const std::string other = world_.open_session();
  EXPECT_EQ(world_
                .fetch("/api/sessions/" + one + "/tools",
                       ServiceWorld::request("PUT", {{"tools", {own_tool("mine")}}}))
                .status,
            200);
  EXPECT_EQ(tools_of(one), Json{"mine"});
  EXPECT_EQ(tools_of(other), (Json{"create_codap_dataset", "create_codap_graph"}));
  EXPECT_EQ(call(other, "mine", Json::object())["error"]["code"], -32602);
  const std::string tool = "/api/sessions/" + one + "/tools/mine";
  EXPECT_EQ(world_.fetch(tool, ServiceWorld::request("DELETE")).status, 200);
  EXPECT_EQ(world_.fetch(tool, ServiceWorld::request("DELETE")).status, 404);
  EXPECT_EQ(tools_of(one), Json::array());
  EXPECT_EQ(world_.fetch("/api/sessions/" + one + "/tools", ServiceWorld::request("DELETE")).status,
            200);
  EXPECT_EQ(tools_of(one), (Json{"create_codap_dataset", "create_codap_graph"}));
}

TEST_F(SessionServerTest, AnotherWorkerTakesOverAndTheFormerStaysAway) {
  const std::string code = world_.open_session();
  const auto first = world_.worker(code);
  const auto second = world_.worker(code);
  EXPECT_EQ(first->events().back(), "taken_over");
  EXPECT_TRUE(second->connected());
  first->listen();  // As an EventSource that does not know the event.
  world_.run_for(seconds(1));
  EXPECT_EQ(first->status(), 204);
  EXPECT_TRUE(second->connected());
}

// ManyCallers is a service whose callers are told apart by what a proxy says of them.
class ManyCallers : public ::testing::Test {
 protected:
  static SessionServerOptions behind_proxy() {
    SessionServerOptions options;
    options.http.proxies = {""};  // A simulated connection has no address.
    options.book.sessions_max = 30;
    options.book.each_max = 20;
    return options;
  }

  wire::HttpResponse ask(const std::string& who, std::string method, const std::string& target,
                         const Json& body = nullptr) {
    return world_.fetch(target,
                        ServiceWorld::request(std::move(method), body, {{"X-Forwarded-For", who}}));
  }
  int status(const std::string& who, const std::string& code) {
    return ask(who, "GET", "/api/sessions/" + code).status;
  }
  // opened returns the code of a session that `who` opens, "" where that is refused.
  std::string opened(const std::string& who) {
    const wire::HttpResponse made = ask(who, "POST", "/api/sessions", Json::object());
    return made.status == 201 ? string_or(ServiceWorld::json(made), "code", "") : "";
  }
  static std::string guess(int i) {
    std::string code = "AAAAAAAA";
    for (std::size_t at = 7; i > 0; i /= 26, --at) code[at] = static_cast<char>('A' + i % 26);
    return code;
  }
  // guessed returns how many of `count` wrong codes of `who` were looked for.
  int guessed(const std::string& who, int count) {
    int looked = 0;
    for (int i = 0; i < count; ++i) looked += status(who, guess(++guesses_)) == 404 ? 1 : 0;
    return looked;
  }

  ServiceWorld world_{behind_proxy()};
  int guesses_ = 0;
};

TEST_F(ManyCallers, WhoGuessesCodesIsStoppedAndHisNeighboursAreNot) {
  const std::string code = opened("192.0.2.1");
  const std::string second = opened("192.0.2.1");
  EXPECT_EQ(status("192.0.2.2", code), 200);
  EXPECT_LE(guessed("192.0.2.2", 40), 12);
  EXPECT_EQ(status("192.0.2.2", code), 200);    // He knew it before.
  EXPECT_EQ(status("192.0.2.2", second), 429);  // He might have guessed it.
  world_.run_for(minutes(30));
  EXPECT_EQ(status("192.0.2.2", second), 200);
}

TEST_F(ManyCallers, WhoHasOpenedASessionIsNeverKeptFromIt) {
  EXPECT_LE(guessed("192.0.2.1", 40), 12);
  const std::string code = opened("192.0.2.1");
  EXPECT_EQ(status("192.0.2.1", code), 200);
  EXPECT_EQ(ask("192.0.2.1", "GET", "/api/sessions/" + code + "/tools").status, 200);
  EXPECT_LE(guessed("192.0.2.1", 40), 2);
  EXPECT_EQ(status("192.0.2.1", code), 200);
}

TEST_F(ManyCallers, EachWrongCodeBeyondTheFirstTenWaitsLonger) {
  guessed("192.0.2.1", 40);
  int looked = 0;
  for (int i = 0; i < 60; ++i) {
    world_.run_for(seconds(10));
    looked += guessed("192.0.2.1", 1);
  }
  EXPECT_GE(looked, 3);
  EXPECT_LE(looked, 10) << "at one each six seconds it would be all of them";
}

TEST_F(ManyCallers, GuessesOfManyAddressesCountTogetherAndSomebodyNewIsLetIn) {
  const std::string code = opened("198.51.100.1");
  int looked = 0;
  for (int i = 0; i < 150; ++i) {
    looked += guessed("10.0." + std::to_string(i / 50) + "." + std::to_string(i % 50 + 1), 10);
  }
  EXPECT_LE(looked, 150 * 3 + 200 + 60) << "three of each, and those of all";
  EXPECT_EQ(status("203.0.113.9", code), 200) << "somebody new who knows it";
  EXPECT_EQ(status("198.51.100.1", code), 200) << "who has opened it";
}

TEST_F(ManyCallers, AddressesOfOneNetworkOfIpv6GuessAsOne) {
  int looked = 0;
  for (int i = 1; i < 40; ++i) looked += guessed("2001:db8:7:7::" + std::to_string(i), 1);
  EXPECT_LE(looked, 12);
  EXPECT_EQ(guessed("2001:db8:7:8::1", 1), 1);
}

TEST_F(ManyCallers, SessionsOfOneCallerDoNotShutOutOthers) {
  int made = 0;
  wire::HttpResponse last;
  for (int i = 0; i < 40; ++i) {
    last = ask("192.0.2.1", "POST", "/api/sessions", Json::object());
    made += last.status == 201 ? 1 : 0;
  }
  EXPECT_EQ(made, 20);
  EXPECT_EQ(last.status, 429);
  EXPECT_NE(last.body.find("20 sessions"), std::string::npos) << last.body;
  EXPECT_NE(opened("192.0.2.2"), "");
}

TEST_F(ManyCallers, TheOldestThatNobodyUsesMakesRoom) {
  std::vector<std::string> codes;
  for (int i = 0; i < 20; ++i) codes.push_back(opened("192.0.2.1"));
  world_.run_for(minutes(3));
  const auto worker = world_.worker(codes[0]);
  EXPECT_NE(opened("192.0.2.1"), "");
  EXPECT_EQ(status("192.0.2.1", codes[0]), 200) << "it is in use";
  EXPECT_EQ(status("192.0.2.1", codes[1]), 404);
  for (int i = 0; i < 10; ++i) EXPECT_NE(opened("192.0.2.2"), "");
  EXPECT_NE(opened("192.0.2.3"), "") << "of all, too";
  EXPECT_EQ(world_.server->book().sessions().size(), 30U);
}

TEST(SessionServerProxyTest, GuessesAreCountedForWhoeverTheProxyNames) {
  SessionServerOptions options;
  options.http.proxies = {"", "10.0.0.2"};  // A simulated connection has no address.
  ServiceWorld world(std::move(options));
  const std::string code = world.open_session();
  const auto status = [&world](const std::string& named, const std::string& chain) {
    wire::HttpRequest asked;
    asked.method = "GET";
    asked.headers.set("X-Forwarded-For", chain);
    return world.fetch("/api/sessions/" + named, std::move(asked)).status;
  };
  for (int i = 0; i < 20; ++i) {
    status(std::string("AAAAAA") + static_cast<char>('A' + i) + "B",
           std::to_string(i) + ".1.1.1, 192.0.2.7, 10.0.0.2");
  }
  EXPECT_EQ(status(code, "192.0.2.7"), 429) << "what stands before his own address is his word";
  EXPECT_EQ(status(code, "192.0.2.8, 10.0.0.2"), 200);
  EXPECT_EQ(status(code, "192.0.2.7, 192.0.2.8"), 200);
}

TEST_F(SessionServerTest, DrainingLetsCallsEndAndTakesNoMore) {
  const std::string code = world_.open_session();
  const auto worker = world_.worker(code, {.answer_min = seconds(3), .answer_max = seconds(3)});
  Task<Result<wire::HttpResponse>> call = world_.asking(
      mcp_path(code),
      ServiceWorld::mcp("tools/call", call_params("create_codap_graph", graph_arguments())));
  call.start();
  world_.run_for(seconds(1));
  Task<void> drained = world_.server->drain();
  drained.start();
  EXPECT_EQ(world_.get("/readyz").status, 503);
  EXPECT_EQ(world_.post("/api/sessions", Json::object()).status, 503);
  world_.run_for(seconds(4));
  EXPECT_TRUE(drained.done());
  ASSERT_TRUE(call.done() && call.result().ok());
  EXPECT_TRUE(text_of(ServiceWorld::answer_of(call.result().value())).starts_with("\u2705"));
  EXPECT_FALSE(worker->connected());
}

// A thousand hours of a class that never ends: a session an hour, its worker idle, its stream kept
// alive. Nothing piles up.
TEST_F(SessionServerTest, AThousandIdleHoursLeaveNothingBehind) {
  for (int hour = 0; hour < 1'000; ++hour) {
    const auto worker = world_.worker(world_.open_session());
    world_.run_for(minutes(61));
    ASSERT_EQ(worker->events(), (std::vector<std::string>{"connection", "session_expired"}));
    world_.log.clear();
  }
  world_.run_for(minutes(5));
  EXPECT_TRUE(world_.server->book().sessions().empty());
  EXPECT_EQ(world_.http->connections(), 0U);
}

TEST_F(SessionServerTest, TheLogNamesNoCodeAndNoPath) {
  const std::string code = world_.open_session();
  world_.get("/api/metadata?sessionCode=" + code);
  world_.get("/api/sessions/" + code);
  EXPECT_EQ(world_.log.find(code), std::string::npos) << world_.log;
  EXPECT_NE(world_.log.find("/api/sessions/:code"), std::string::npos) << world_.log;
}

}  // namespace
}  // namespace plumbline::service
