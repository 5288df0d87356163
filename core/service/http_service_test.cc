#include "core/service/http_service.h"

#include "core/service/sessions/principal_fixture.h"
#include "core/service/sessions/service_fixture.h"

namespace plumbline::service {
namespace {

constexpr const char* kLocal = "http://localhost:5173";

wire::HttpRequest asked(std::string method, wire::HttpHeaders headers) {
  return ServiceWorld::request(std::move(method), nullptr, std::move(headers));
}

bool lists(const wire::HttpResponse& response, const char* header, const std::string& name) {
  return (", " + std::string(response.headers.get(header).value_or("")) + ",")
             .find(", " + name + ",") != std::string::npos;
}

// A browser asks before it sends what it may not send unasked; it never shows a token then.
//
// cors-protocol-version-header, cors-preflight-401.
TEST(HttpServiceTest, APreflightNeedsNoTokenAndAllowsAllThatMcpNeeds) {
  TokenGate gate(std::map<std::string, std::string>{{"alice", "alice"}});
  SessionServerOptions options;
  options.http.gate = &gate;
  ServiceWorld world(std::move(options));
  for (const char* path : {"/mcp", "/api/mcp", "/api/sessions/ABCDEFGH/mcp"}) {
    const wire::HttpResponse said = world.fetch(
        path, asked("OPTIONS", {{"Origin", kLocal},
                                {"Access-Control-Request-Method", "DELETE"},
                                {"Access-Control-Request-Headers", "mcp-param-region, x-evil"}}));
    EXPECT_EQ(said.status, 204);
    EXPECT_EQ(said.headers.get("Access-Control-Allow-Origin"), kLocal);
    for (const char* method : {"GET", "POST", "DELETE", "OPTIONS"}) {
      EXPECT_TRUE(lists(said, "Access-Control-Allow-Methods", method)) << method;
    }
    for (const char* header :
         {"Content-Type", "Authorization", "MCP-Protocol-Version", "Mcp-Session-Id",
          "Last-Event-ID", "Mcp-Method", "Mcp-Name", "X-Session-Code", "mcp-param-region"}) {
      EXPECT_TRUE(lists(said, "Access-Control-Allow-Headers", header)) << header;
    }
    EXPECT_FALSE(lists(said, "Access-Control-Allow-Headers", "x-evil"));
  }
}

// cors-session-header-not-exposed.
TEST(HttpServiceTest, EveryAnswerCanBeReadByAPageThatMayCallErrorsIncluded) {
  ServiceWorld world;
  struct Case {
    const char* method;
    const char* path;
    int status;
  };
  for (const Case& one : {Case{"POST", "/api/sessions", 201}, Case{"GET", "/nothing", 404},
                          Case{"PATCH", "/api/sessions", 405}, Case{"POST", "/mcp", 406},
                          Case{"GET", "/api/metadata", 400}, Case{"POST", "/api/request", 415},
                          Case{"GET", "/api/sessions/ABCDEFGH", 404}}) {
    const wire::HttpResponse said = world.fetch(one.path, asked(one.method, {{"Origin", kLocal}}));
    EXPECT_EQ(said.status, one.status) << one.path << said.body;
    EXPECT_EQ(said.headers.get("Access-Control-Allow-Origin"), kLocal) << one.path;
    EXPECT_TRUE(lists(said, "Access-Control-Expose-Headers", "Mcp-Session-Id")) << one.path;
    EXPECT_EQ(said.headers.get("Vary"), "Origin");
  }
}

// dns-rebinding-unprotected.
TEST(HttpServiceTest, NobodyElseMayCallWhateverHeDoes) {
  ServiceWorld world;
  for (const wire::HttpHeaders& headers :
       {wire::HttpHeaders{{"Origin", "http://evil.example"}}, wire::HttpHeaders{{"Origin", "null"}},
        wire::HttpHeaders{{"Host", "evil.example"}}}) {
    for (const char* path : {"/mcp", "/api/sessions", "/api/stream", "/", "/api/response"}) {
      for (const char* method : {"GET", "POST", "OPTIONS"}) {
        const wire::HttpResponse said = world.fetch(path, asked(method, headers));
        EXPECT_EQ(said.status, 403) << method << path;
        EXPECT_FALSE(said.headers.get("Access-Control-Allow-Origin"));
      }
    }
  }
  EXPECT_TRUE(world.server->book().sessions().empty());
}

TEST(HttpServiceTest, EveryOriginOnlyWhenThatIsSaidAndNeverWithCredentials) {
  SessionServerOptions options;
  options.http.cors.access.any_origin = true;
  options.http.cors.credentials = true;
  ServiceWorld world(std::move(options));
  const wire::HttpResponse said =
      world.fetch("/api/sessions", asked("POST", {{"Origin", "https://else.example"}}));
  EXPECT_EQ(said.status, 201);
  EXPECT_EQ(said.headers.get("Access-Control-Allow-Origin"), "*");
  EXPECT_FALSE(said.headers.get("Access-Control-Allow-Credentials"));
}

TEST(HttpServiceTest, CredentialsForOriginsThatAreNamed) {
  SessionServerOptions options;
  options.http.cors.access.origins = {"https://class.example"};
  options.http.cors.credentials = true;
  ServiceWorld world(std::move(options));
  const wire::HttpResponse said =
      world.fetch("/api/sessions", asked("POST", {{"Origin", "https://class.example"}}));
  EXPECT_EQ(said.headers.get("Access-Control-Allow-Origin"), "https://class.example");
  EXPECT_EQ(said.headers.get("Access-Control-Allow-Credentials"), "true");
}

TEST(HttpServiceTest, HealthIsToldToWhoeverAsksButToNoPageOfOthers) {
  ServiceWorld world;
  EXPECT_EQ(world.fetch("/healthz", asked("GET", {{"Origin", "http://evil.example"}})).status, 403);
  EXPECT_EQ(world.fetch("/healthz", asked("GET", {{"Host", "10.0.0.7:8080"}})).status, 200);
  EXPECT_EQ(world.fetch("/readyz", asked("GET", {{"Host", "10.0.0.7:8080"}})).status, 200);
}

TEST(HttpServiceTest, TheLogIsAsciiWhateverANameHolds) {
  const std::string name = "bob\u202egpj.exe\u200b\u2066\u00a0\x1b[31m\x7f\u0085\xff\nnext";
  TokenGate gate(std::map<std::string, std::string>{{"bob", name}});
  SessionServerOptions options;
  options.http.gate = &gate;
  ServiceWorld world(std::move(options));
  world.fetch("/mcp", asked("POST", {{"Authorization", "Bearer bob"}}));
  world.fetch("/mcp", asked("POST", {{"Host", "evil.example"}}));
  EXPECT_NE(world.log.find("\\u202e"), std::string::npos) << world.log;
  EXPECT_NE(world.log.find("403"), std::string::npos) << "a stranger is not in the log";
  for (const char c : world.log) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << int(c);
}

TEST(DeprecationTest, DatesAreWrittenAsHttpHasThem) {
  EXPECT_EQ(http_date(std::chrono::seconds(784'111'777)), "Sun, 06 Nov 1994 08:49:37 GMT");
}

}  // namespace
}  // namespace plumbline::service
