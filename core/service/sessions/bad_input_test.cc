// Every endpoint against requests that nobody should make: the right status, a JSON error with the
// reason, and the server goes on.

#include <rapidcheck/gtest.h>

#include "core/service/sessions/service_fixture.h"
#include "fakes/testing/pipe_log.h"

namespace plumbline::service {
namespace {

struct Case {
  const char* method;
  const char* path;
  const char* body;  // "CODE" is the code of a session; null: none.
  int status;
};

// The reason is in "error", whatever is wrong.
constexpr auto kCases = std::to_array<Case>({
    {"POST", "/api/request", nullptr, 415},
    {"POST", "/api/request", "", 400},
    {"POST", "/api/request", "{", 400},
    {"POST", "/api/request", "[]", 400},
    {"POST", "/api/request", "null", 400},
    {"POST", "/api/request", "\xff", 400},
    {"POST", "/api/request", "{}", 400},
    {"POST", "/api/request", R"({"sessionCode":7,"requestId":"r","toolName":"t"})", 400},
    {"POST", "/api/request", R"({"sessionCode":"abc","requestId":"r","toolName":"t"})", 400},
    {"POST", "/api/request", R"({"sessionCode":"CODE","requestId":"","toolName":"t"})", 400},
    {"POST", "/api/request", R"({"sessionCode":"CODE","requestId":{},"toolName":"t"})", 400},
    {"POST", "/api/request", R"({"sessionCode":"CODE","requestId":"r","toolName":[]})", 400},
    {"POST", "/api/request",
     R"({"sessionCode":"CODE","requestId":"r","toolName":"create_codap_graph","params":[]})", 400},
    {"POST", "/api/request", R"({"sessionCode":"CODE","requestId":"r","toolName":"t"})", 404},
    {"POST", "/api/response", nullptr, 415},
    {"POST", "/api/response", "{}", 400},
    {"POST", "/api/response", R"({"sessionCode":"CODE","requestId":"r"})", 400},
    {"POST", "/api/response", R"({"sessionCode":"CODE","requestId":"r","result":1,"error":1})",
     400},
    {"POST", "/api/response", R"({"sessionCode":"CODE","requestId":"r","result":1})", 404},
    {"POST", "/api/progress", R"({"sessionCode":"CODE","requestId":"r"})", 400},
    {"POST", "/api/progress", R"({"sessionCode":"CODE","requestId":"r","progress":"x"})", 400},
    {"POST", "/api/progress", R"({"sessionCode":"CODE","requestId":"r","progress":1,"total":"x"})",
     400},
    {"POST", "/api/progress", R"({"sessionCode":"CODE","requestId":"r","progress":1e999})", 400},
    {"POST", "/api/log", R"({"sessionCode":"CODE","requestId":"r"})", 400},
    {"POST", "/api/log", R"({"sessionCode":"CODE","requestId":"r","level":"loud","message":1})",
     400},
    {"GET", "/api/stream", nullptr, 406},
    {"GET", "/api/metadata", nullptr, 400},
    {"GET", "/api/metadata?sessionCode=", nullptr, 400},
    {"GET", "/api/metadata?sessionCode=%00%00%00%00%00%00%00%00", nullptr, 400},
    {"GET", "/api/metadata?sessionCode=abcdefgh", nullptr, 400},
    {"GET", "/api/metadata?sessionCode=ABCDEFGH", nullptr, 404},
    {"GET", "/api/response?sessionCode=CODE", nullptr, 404},
    {"GET", "/api/response?sessionCode=CODE&requestId=none", nullptr, 404},
    {"PUT", "/api/sessions/CODE/tools", nullptr, 415},
    {"PUT", "/api/sessions/CODE/tools", "{}", 400},
    {"PUT", "/api/sessions/CODE/tools", R"({"tools":{}})", 400},
    {"POST", "/api/sessions/CODE/tools", R"({"tools":[{"name":""}]})", 400},
    {"POST", "/api/sessions/CODE/tools", R"({"tools":[{"name":"a"},{"name":"a"}]})", 400},
    {"POST", "/api/sessions/CODE/tools",
     R"({"tools":[{"name":"a","inputSchema":{"type":"object"},"outputSchema":{}}]})", 400},
    {"DELETE", "/api/sessions/CODE/tools/none", nullptr, 404},
    {"DELETE", "/api/sessions/CODE/tools/%2e%2e%2f", nullptr, 404},
    {"DELETE", "/api/sessions/ABCDEFGH", nullptr, 404},
    {"GET", "/api/sessions/", nullptr, 404},
    {"GET", "/api/sessions/..%2F..", nullptr, 400},
    {"PUT", "/api/sessions", "{}", 405},
    {"GET", "/api/sessions", nullptr, 405},
    {"DELETE", "/", nullptr, 405},
    {"POST", "/metrics", "{}", 405},
    {"GET", "/api/sessions/CODE/mcp", nullptr, 406},
    {"PUT", "/api/sessions/CODE/mcp", "{}", 405},
    {"POST", "/api/sessions/ABCDEFGH/mcp", "{}", 404},
    {"POST", "/api/sessions/CODE/mcp", nullptr, 406},
    {"GET", "/api/mcp?sessionCode=short", nullptr, 400},
});

std::string with_code(std::string text, const std::string& code) {
  for (std::size_t at = text.find("CODE"); at != std::string::npos; at = text.find("CODE")) {
    text.replace(at, 4, code);
  }
  return text;
}

TEST(BadInputTest, EveryEndpointRefusesWithAReason) {
  for (const Case& one : kCases) {
    ServiceWorld world;  // Its own, so that guesses are not counted together.
    const std::string code = world.open_session();
    wire::HttpRequest asked = ServiceWorld::request(one.method);
    if (one.body != nullptr) {
      asked.body = with_code(one.body, code);
      asked.headers.set("Content-Type", "application/json");
    }
    const wire::HttpResponse said = world.fetch(with_code(one.path, code), std::move(asked));
    const std::string what = std::string(one.method) + " " + one.path + " " +
                             (one.body == nullptr ? "" : one.body) + "\n" + said.body;
    EXPECT_EQ(said.status, one.status) << what;
    const bool bare = said.status == 405 && said.body.empty();  // MCP's own.
    if (bare) {
      EXPECT_TRUE(said.headers.get("Allow")) << what;
    } else {
      EXPECT_TRUE(at_pointer(ServiceWorld::json(said), "/error/message")) << what;
      EXPECT_LT(said.body.size(), 2'048U) << what;
    }
    EXPECT_EQ(world.get("/api/sessions/" + code).status, 200) << what;
  }
}

// Whatever bytes come, nothing is called that they do not name, and every answer is one of HTTP.
TEST(BadInputTest, WhatIsTooLargeIsRefused) {
  ServiceWorld world;
  const std::string code = world.open_session();
  Json deep = 1;
  for (int i = 0; i < 100; ++i) deep = Json::array({deep});
  const Json request = {{"sessionCode", code},
                        {"requestId", std::string(200, 'r')},
                        {"toolName", "create_codap_graph"},
                        {"params", {{"deep", deep}}}};
  EXPECT_EQ(world.post("/api/request", request).status, 400);
  wire::HttpRequest nested = ServiceWorld::request("POST", Json::object());
  nested.body = std::string(100'000, '[');
  EXPECT_EQ(world.fetch("/api/request", nested).status, 400);
}

constexpr const char* kWhole =
    "POST /api/request?sessionCode=ABCDEFGH HTTP/1.1\r\nHost: localhost\r\n"
    "Origin: http://localhost:1\r\nContent-Type: application/json\r\n"
    "MCP-Protocol-Version: 2025-11-25\r\nContent-Length: 70\r\n\r\n"
    R"({"sessionCode":"ABCDEFGH","requestId":"r","toolName":"t","params":{}} )";

// Whatever bytes come, the server goes on, and holds no more than the session there was.
RC_GTEST_PROP(BadInputPropTest, WhateverBytesComeTheServerGoesOn, ()) {
  ServiceWorld world;
  const std::string code = world.open_session();
  std::string bytes = kWhole;
  const auto changes = *rc::gen::inRange(1, 12);
  for (int i = 0; i < changes; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
    const char byte = *rc::gen::arbitrary<char>();
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        bytes[at] = byte;
        break;
      case 1:
        bytes.insert(at, 1, byte);
        break;
      case 2:
        bytes.erase(at, 1);
        break;
      default:
        bytes.insert(at, bytes.substr(0, at));
        bytes.resize(std::min<std::size_t>(bytes.size(), 4'096));
    }
  }
  Task<Result<std::unique_ptr<net::Pipe>>> dialling =
      world.network.dial({"127.0.0.1", 80}, std::nullopt);
  RC_ASSERT(world.loop.run_task(dialling).ok());
  const std::unique_ptr<net::Pipe> pipe = std::move(dialling.result()).value();
  fakes::PipeLog log;
  pipe->start(log);
  pipe->write(bytes);
  pipe->close_write();
  world.run_for(std::chrono::seconds(2));
  RC_ASSERT((log.text.empty() || log.text.starts_with("HTTP/1.1 ")));
  RC_ASSERT(world.get("/api/sessions/" + code).status == 200);
  RC_ASSERT(world.server->book().sessions().size() == 1U);
  RC_ASSERT(world.server->book().waiting() == 0U);
}

// A store that fails is told as such, with its reason, and nothing is promised.
TEST(BadInputTest, AStoreThatFailsIsToldWithItsReason) {
  bool broken = false;
  ServiceWorld world({}, 1, [&broken](std::string_view operation, const std::string&) {
    fakes::StoreTrouble trouble;
    if (broken && operation == "put") trouble.fault = fakes::StoreFault::kFail;
    return trouble;
  });
  const std::string code = world.open_session();
  broken = true;
  const wire::HttpResponse refused = world.post("/api/sessions", Json::object());
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(*at_pointer(ServiceWorld::json(refused), "/error/code"), -32603);
  EXPECT_EQ(*at_pointer(ServiceWorld::json(refused), "/error/message"), "Internal error");
  EXPECT_NE(at_pointer(ServiceWorld::json(refused), "/error/data/error"), nullptr);
  const Json tools = {{"tools", {{{"name", "mine"}, {"inputSchema", {{"type", "object"}}}}}}};
  EXPECT_EQ(world.post("/api/sessions/" + code + "/tools", tools).status, 503);
  broken = false;
  EXPECT_EQ(ServiceWorld::json(world.get("/api/sessions/" + code + "/tools"))["tools"].size(), 2U);
}

}  // namespace
}  // namespace plumbline::service
