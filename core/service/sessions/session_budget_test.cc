// What sessions take of the server: what is kept is counted, and goes in time; each charge is
// refused once, in words, and nothing leaks.

#include <gtest/gtest.h>

#include "core/json/value_bytes.h"
#include "core/service/sessions/service_fixture.h"
#include "fakes/testing/pipe_log.h"

namespace plumbline::service {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

Json lists(std::size_t count) { return Json(Json::array_t(count, Json::array())); }

class SessionBudgetTest : public ::testing::Test {
 protected:
  // listen gives the session `code` a worker that hears calls and answers none.
  void listen(const std::string& code) {
    Task<Result<std::unique_ptr<net::Pipe>>> dialling =
        world_.network.dial({"127.0.0.1", 80}, std::nullopt);
    check(world_.loop.run_task(dialling).ok(), "nobody listens");
    worker_ = std::move(dialling.result()).value();
    worker_->start(heard_);
    worker_->write("GET /api/stream?sessionCode=" + code +
                   " HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n");
    world_.run_for(seconds(1));
  }
  wire::HttpResponse call(const std::string& code, const std::string& id, const Json& a) {
    return world_.post(
        "/api/request",
        {{"sessionCode", code}, {"requestId", id}, {"toolName", "t"}, {"params", {{"a", a}}}});
  }
  wire::HttpResponse answer(const std::string& code, const std::string& id, const Json& result) {
    return world_.post("/api/response",
                       {{"sessionCode", code}, {"requestId", id}, {"result", result}});
  }
  std::uint64_t values() { return world_.http->callers().taken(Resource::kValueBytes); }

  std::string session() {
    std::string code = world_.open_session();
    const Json tool = {{"name", "t"}, {"inputSchema", {{"type", "object"}}}};
    EXPECT_EQ(world_.post("/api/sessions/" + code + "/tools", {{"tools", {tool}}}).status, 200);
    return code;
  }

  ServiceWorld world_;
  std::unique_ptr<net::Pipe> worker_;
  fakes::PipeLog heard_;
};

TEST_F(SessionBudgetTest, AResultIsCountedWhileItIsKeptAndKeptForAMinute) {
  const std::string code = session();
  listen(code);
  const std::uint64_t before = values();
  const Json result = lists(1'000);
  EXPECT_EQ(call(code, "r", Json::array()).status, 202);
  EXPECT_EQ(answer(code, "r", result).status, 200);
  EXPECT_GE(values(), before + value_bytes(result));
  const std::string where = "/api/response?sessionCode=" + code + "&requestId=r";
  EXPECT_EQ(world_.get(where).status, 200);
  world_.run_for(seconds(70));
  EXPECT_EQ(values(), before);
  EXPECT_EQ(world_.get(where).status, 404);
}

TEST_F(SessionBudgetTest, ACallThatWaitsIsCountedUntilItEnds) {
  const std::string code = session();
  listen(code);
  const std::uint64_t before = values();
  EXPECT_EQ(call(code, "r", lists(1'000)).status, 202);
  EXPECT_GE(values(), before + value_bytes(lists(1'000)));
  world_.run_for(seconds(40));  // It has timed out.
  EXPECT_LT(values(), before + 1'000);
}

TEST_F(SessionBudgetTest, ResultsAreRefusedInWordsPastTheShareAndOthersAreServed) {
  const std::string code = session();
  listen(code);
  wire::HttpResponse last;
  int kept = 0;
  for (int i = 0; i < 200; ++i) {
    call(code, "r" + std::to_string(i), Json::array());
    last = answer(code, "r" + std::to_string(i), lists(60'000));
    if (last.status != 200) break;
    ++kept;
  }
  EXPECT_EQ(last.status, 429) << last.body;
  EXPECT_NE(last.body.find("bytes of values"), std::string::npos) << last.body;
  EXPECT_GE(kept, 10);
  EXPECT_LE(values(), std::uint64_t{128} << 20U);
  EXPECT_EQ(world_.get("/healthz").status, 200);
  EXPECT_NE(
      world_.get("/metrics").body.find("plumbline_server_refusals{resource=\"bytes of values\"}"),
      std::string::npos);
}

TEST_F(SessionBudgetTest, ASchemaThatCostsTooMuchRefusesTheCallInWords) {
  const std::string code = world_.open_session();
  Json defs;
  for (int i = 0; i < 40; ++i) {
    const std::string next = "#/$defs/a" + std::to_string(i + 1);
    defs["a" + std::to_string(i)] = {{"anyOf", {{{"$ref", next}}, {{"$ref", next}}}}};
  }
  defs["a40"] = {{"type", "string"}};
  const Json tool = {
      {"name", "t"},
      {"inputSchema",
       {{"type", "object"}, {"$defs", defs}, {"allOf", {{{"$ref", "#/$defs/a0"}}}}}}};
  ASSERT_EQ(world_.post("/api/sessions/" + code + "/tools", {{"tools", {tool}}}).status, 200);
  const wire::HttpResponse refused = call(code, "r", 1);
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find(std::to_string(kToolStepsMax)), std::string::npos) << refused.body;
}

// converse is a session from its opening to its end. Returns the statuses that were refused.
std::vector<wire::HttpResponse> converse(ServiceWorld& world) {
  std::vector<wire::HttpResponse> refused;
  // A connection too many is closed at once: no answer comes of it.
  const auto ask = [&](const std::string& method, const std::string& target, const Json& body) {
    Task<Result<wire::HttpResponse>> asking =
        world.asking(target, ServiceWorld::request(method, body));
    const bool run = world.loop.run_task(asking).ok();
    wire::HttpResponse said =
        run && asking.result().ok() ? asking.result().value() : wire::HttpResponse{0, {}, ""};
    if (said.status == 413 || said.status == 429 || said.status == 503) refused.push_back(said);
    return said;
  };
  const wire::HttpResponse made = ask("POST", "/api/sessions", Json::object());
  if (made.status != 201) return refused;
  const std::string code = string_or(ServiceWorld::json(made), "code", "");
  const Json tool = {{"name", "t"}, {"inputSchema", {{"type", "object"}}}};
  ask("PUT", "/api/sessions/" + code + "/tools", {{"tools", {tool}}});
  const auto worker = world.worker(code);
  ask("POST", "/api/request",
      {{"sessionCode", code},
       {"requestId", "r"},
       {"toolName", "t"},
       {"params", {{"a", lists(9)}}}});
  world.run_for(seconds(5));
  ask("GET", "/api/response?sessionCode=" + code + "&requestId=r", nullptr);
  Task<Result<wire::HttpResponse>> calling =
      world.asking("/api/sessions/" + code + "/mcp",
                   ServiceWorld::mcp("tools/call", {{"name", "t"}, {"arguments", Json::object()}}));
  EXPECT_TRUE(world.loop.run_task(calling).ok());
  ask("DELETE", "/api/sessions/" + code, nullptr);
  return refused;
}

TEST(SessionChargesTest, EachMayFailAndNothingLeaksAndTheNextIsServed) {
  std::uint64_t charges = 0;
  {
    ServiceWorld world;
    EXPECT_TRUE(converse(world).empty());
    charges = world.http->callers().charges();
  }
  ASSERT_GT(charges, 20U);
  int told = 0;
  for (std::uint64_t charge = 1; charge <= charges; ++charge) {
    ServiceWorld world;
    Guests& guests = world.http->callers();
    guests.refuse_at(charge);
    for (const wire::HttpResponse& refused : converse(world)) {
      ++told;
      EXPECT_NE(refused.body, "") << "in words";
    }
    guests.refuse_at(0);
    EXPECT_TRUE(converse(world).empty()) << "charge " << charge;
    world.run_for(minutes(65));
    for (const Resource resource : {Resource::kTextBytes, Resource::kValueBytes,
                                    Resource::kConnections, Resource::kThreads}) {
      EXPECT_EQ(guests.taken(resource), 0U) << "charge " << charge << ": " << name_of(resource);
    }
  }
  EXPECT_GE(told, 5);
}

}  // namespace
}  // namespace plumbline::service
