// Who may do what in a session, and who hears of what.

#include "core/service/sessions/principal_fixture.h"
#include "core/service/sessions/service_fixture.h"

namespace plumbline::service {
namespace {

using std::chrono::seconds;

constexpr const char* kAlice = "Bearer alice";
constexpr const char* kBob = "Bearer bob";

class PrincipalTest : public testing::Test {
 protected:
  static SessionServerOptions options(TokenGate& gate) {
    SessionServerOptions made;
    made.http.gate = &gate;
    return made;
  }

  wire::HttpRequest stateful(const char* token, const std::string& method, const Json& params,
                             const std::string& session) {
    wire::HttpHeaders headers = {{"Authorization", token},
                                 {"Accept", "application/json, text/event-stream"}};
    if (!session.empty()) headers.set("Mcp-Session-Id", session);
    Json message = {{"jsonrpc", "2.0"}, {"method", method}, {"params", params}};
    if (!method.starts_with("notifications/")) message["id"] = ++id_;
    return ServiceWorld::request("POST", message, headers);
  }

  // open opens an MCP session of 2025-11-25 and returns its id.
  std::string open(const char* token, const std::string& code) {
    const Json hello = {{"protocolVersion", "2025-11-25"},
                        {"capabilities", Json::object()},
                        {"clientInfo", {{"name", "t"}, {"version", "1"}}}};
    const wire::HttpResponse opened =
        world_.fetch(path(code), stateful(token, "initialize", hello, ""));
    EXPECT_EQ(opened.status, 200) << opened.body;
    std::string session(opened.headers.get("Mcp-Session-Id").value_or(""));
    world_.fetch(path(code), stateful(token, "notifications/initialized", Json::object(), session));
    return session;
  }

  static std::string path(const std::string& code) { return "/api/sessions/" + code + "/mcp"; }

  TokenGate gate_{{{"alice", "alice"}, {"bob", "bob"}}};
  ServiceWorld world_{options(gate_)};
  int id_ = 0;
};

TEST_F(PrincipalTest, WithoutATokenNobodyCallsAndAWorkerNeedsTheCodeAlone) {
  const std::string code = world_.open_session();
  for (const char* target : {"/mcp", "/api/mcp"}) {
    const wire::HttpResponse refused = world_.post(target, Json::object());
    EXPECT_EQ(refused.status, 401);
    EXPECT_TRUE(refused.headers.get("WWW-Authenticate"));
  }
  EXPECT_EQ(world_.post(path(code), Json::object()).status, 401);
  EXPECT_EQ(world_.post("/api/request", Json::object()).status, 401);
  EXPECT_EQ(world_.get("/api/metadata?sessionCode=" + code).status, 401);
  EXPECT_TRUE(world_.worker(code)->connected());
}

// session-hijack-unbound.
TEST_F(PrincipalTest, ASessionIdIsOfNoUseToAnotherPrincipal) {
  const std::string code = world_.open_session();
  const std::string session = open(kAlice, code);
  EXPECT_EQ(
      world_.fetch(path(code), stateful(kAlice, "tools/list", Json::object(), session)).status,
      200);
  EXPECT_EQ(world_.fetch(path(code), stateful(kBob, "tools/list", Json::object(), session)).status,
            404);
  const wire::HttpRequest end = ServiceWorld::request(
      "DELETE", nullptr, {{"Authorization", kBob}, {"Mcp-Session-Id", session}});
  EXPECT_EQ(world_.fetch(path(code), end).status, 404);
  const std::string other = world_.open_session();
  EXPECT_EQ(
      world_.fetch(path(other), stateful(kAlice, "tools/list", Json::object(), session)).status,
      404);
}

// session-outlives-revocation.
TEST_F(PrincipalTest, ARevokedTokenEndsAtTheNextRequest) {
  const std::string code = world_.open_session();
  const std::string session = open(kAlice, code);
  gate_.revoke("alice");
  EXPECT_EQ(
      world_.fetch(path(code), stateful(kAlice, "tools/list", Json::object(), session)).status,
      401);
}

TEST_F(PrincipalTest, TheOutcomeOfAnOlderCallIsForWhoAsked) {
  const std::string code = world_.open_session();
  const auto worker = world_.worker(code);
  const Json asked = {{"sessionCode", code},
                      {"requestId", "r"},
                      {"toolName", "create_codap_graph"},
                      {"params", graph_arguments()}};
  EXPECT_EQ(
      world_
          .fetch("/api/request", ServiceWorld::request("POST", asked, {{"Authorization", kAlice}}))
          .status,
      202);
  world_.run_for(seconds(1));
  const std::string outcome = "/api/response?requestId=r&sessionCode=" + code;
  const auto status = [&](const char* token) {
    return world_.fetch(outcome, ServiceWorld::request("GET", nullptr, {{"Authorization", token}}))
        .status;
  };
  EXPECT_EQ(status(kBob), 404);
  EXPECT_EQ(status(kAlice), 200);
}

TEST_F(PrincipalTest, OnlyClientsOfTheSessionHearThatItsToolsHaveChanged) {
  const std::string one = world_.open_session();
  const std::string other = world_.open_session();
  const auto listen = [&](const std::string& code, const char* token) {
    return std::make_unique<Listening>(
        world_.client, world_.url(path(code)),
        ServiceWorld::mcp("subscriptions/listen", {{"notifications", {{"toolsListChanged", true}}}},
                          {{"Authorization", token}}));
  };
  const auto stream = [&](const std::string& code, const char* token) {
    return std::make_unique<Listening>(
        world_.client, world_.url(path(code)),
        ServiceWorld::request("GET", nullptr,
                              {{"Authorization", token},
                               {"Accept", "text/event-stream"},
                               {"Mcp-Session-Id", open(token, code)}}));
  };
  const auto here = listen(one, kAlice);
  const auto here_too = listen(one, kBob);
  const auto here_before = stream(one, kBob);
  const auto there = listen(other, kAlice);
  const auto there_before = stream(other, kAlice);
  world_.run_for(seconds(1));
  const Json tools = {{"tools", {{{"name", "mine"}, {"inputSchema", {{"type", "object"}}}}}}};
  EXPECT_EQ(world_.post("/api/sessions/" + one + "/tools", tools).status, 200);
  world_.run_for(seconds(1));
  const std::string changed = "notifications/tools/list_changed";
  EXPECT_EQ(here->heard(changed), 1);
  EXPECT_EQ(here_too->heard(changed), 1);
  EXPECT_EQ(here_before->heard(changed), 1);
  EXPECT_EQ(there->heard(changed), 0);
  EXPECT_EQ(there_before->heard(changed), 0);
}

// A worker that means harm: ten thousand tools, huge ones, broken ones, answers for others.
TEST_F(PrincipalTest, AHostileWorkerHarmsNobodyButItself) {
  const std::string mine = world_.open_session();
  const std::string other = world_.open_session();
  const auto register_tools = [&](Json tools) {
    const wire::HttpResponse said =
        world_.post("/api/sessions/" + mine + "/tools", {{"tools", std::move(tools)}});
    EXPECT_EQ(said.status, 400) << said.body.substr(0, 200);
    EXPECT_LT(said.body.size(), 4'096U);
  };
  Json many = Json::array();
  for (int i = 0; i < 10'000; ++i) {
    many.push_back({{"name", "t" + std::to_string(i)}, {"inputSchema", {{"type", "object"}}}});
  }
  register_tools(many);
  register_tools(Json::array({Json{{"name", "huge"},
                                   {"description", std::string(20'000, 'x')},
                                   {"inputSchema", {{"type", "object"}}}}}));
  register_tools(Json::array({Json{{"name", "no name at all"}}}));
  register_tools(Json::array({Json{{"name", "a"}, {"inputSchema", {{"type", "string"}}}}}));
  register_tools(Json::array(
      {Json{{"name", "a"}, {"inputSchema", {{"type", "object"}, {"$ref", "http://evil/x"}}}}}));
  register_tools("none");
  register_tools(Json::array({7}));
  EXPECT_EQ(world_.server->book().sessions().at(mine)->tools().tools().size(), 2U);

  // A call of the other session is not answered by who knows only its id.
  const auto worker = world_.worker(other, {.silent_percent = 100});
  Json message = graph_arguments();
  Task<Result<wire::HttpResponse>> call = world_.asking(
      path(other),
      ServiceWorld::mcp("tools/call", {{"name", "create_codap_graph"}, {"arguments", message}},
                        {{"Authorization", kAlice}}));
  call.start();
  world_.run_for(seconds(1));
  ASSERT_EQ(worker->requests().size(), 1U);
  EXPECT_EQ(world_
                .post("/api/response", {{"sessionCode", mine},
                                        {"requestId", worker->requests().front()},
                                        {"result", "stolen"}})
                .status,
            404);
  world_.run_for(seconds(1));
  EXPECT_FALSE(call.done());
}

}  // namespace
}  // namespace plumbline::service
