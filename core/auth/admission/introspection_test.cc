// Tokens that say nothing by themselves: who gave them out is asked, believed as far as it says
// enough, and where it does not answer nobody comes in.

#include "core/auth/admission/introspection.h"

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/auth/auth_fixture.h"
#include "core/wire/form.h"

namespace plumbline::auth {
namespace {

using std::chrono::seconds;

constexpr const char* kUs = "https://guarded.example/mcp";

// Endpoint answers for every token as it is told to, and keeps what it was asked.
struct Endpoint final : net::HttpHandler {
  void on_request(wire::HttpRequest request, net::HttpReply reply) override {
    asked.push_back(request);
    if (holds) return held.push_back(std::move(reply));
    reply.respond(wire::HttpResponse{status, {}, text.empty() ? dump_json(answer) : text});
  }
  Json answer = Json::object();
  std::string text;
  // release answers what was held.
  void release(std::size_t count) {
    for (std::size_t i = 0; i < count && !held.empty(); ++i) {
      net::HttpReply reply = std::move(held.front());
      held.erase(held.begin());
      reply.respond({200, {}, dump_json(answer)});
    }
  }
  int status = 200;
  bool holds = false;
  std::vector<net::HttpReply> held;
  std::vector<wire::HttpRequest> asked;
};

class IntrospectionTest : public testing::Test, protected AuthWorldFixture {
 protected:
  void SetUp() override { endpoint_.answer = active(); }

  std::int64_t now() const {
    return std::chrono::duration_cast<seconds>(clock.since_1970()).count();
  }
  Json active() const {
    return {{"active", true},       {"sub", "somebody"},  {"aud", {kUs}},
            {"scope", "mcp:use x"}, {"exp", now() + 600}, {"token_type", "Bearer"}};
  }
  static Client client() {
    Client we;
    we.id = "our server";
    we.secret = "s3cret:of us";
    we.method = "client_secret_basic";
    return we;
  }
  Result<AccessToken> judge(const std::string& token = "opaque",
                            const std::string& caller = "192.0.2.7") {
    return run(introspection_.judge(token, {kIssuer, kUs}, caller));
  }
  ErrorCode code_of(const Result<AccessToken>& judged) const {
    return judged.ok() ? ErrorCode::kUnsupported : judged.error().code;
  }

  Endpoint endpoint_;
  Place place_{loop, network, "tokens.example", endpoint_};
  Introspection introspection_{
      loop, network, clock, wire::parse_url("https://tokens.example/introspect").value(), client()};
};

TEST_F(IntrospectionTest, AnActiveTokenForUsIsGoodAndWeSayWhoWeAre) {
  const Result<AccessToken> judged = judge("opaque token&x=1");
  ASSERT_TRUE(judged.ok()) << judged.error().message;
  EXPECT_EQ(judged.value().subject, "somebody");
  EXPECT_EQ(judged.value().scopes, (std::vector<std::string>{"mcp:use", "x"}));
  ASSERT_EQ(endpoint_.asked.size(), 1U);
  const wire::HttpRequest& asked = endpoint_.asked[0];
  EXPECT_EQ(asked.method, "POST");
  EXPECT_EQ(asked.target, "/introspect");
  // RFC 6749, section 2.3.1: both are encoded as a form before they are put together.
  EXPECT_EQ(asked.headers.get("Authorization"), "Basic b3VyJTIwc2VydmVyOnMzY3JldCUzQW9mJTIwdXM=");
  const wire::Form form = wire::query_of("?" + asked.body);
  EXPECT_EQ(form.get("token"), "opaque token&x=1");
  EXPECT_EQ(form.get("token_type_hint"), "access_token");
  EXPECT_FALSE(form.get("client_secret"));
}

TEST_F(IntrospectionTest, WhatIsNotGoodIsRefused) {
  using Change = std::function<void(Json&)>;
  const std::pair<const char*, Change> changes[] = {
      {"not active",
       [](Json& all) {
         all = {{"active", false}};
       }},
      {"not active", [](Json& all) { all["active"] = false; }},
      {"another issuer", [](Json& all) { all["iss"] = "https://evil.example"; }},
      {"another issuer", [](Json& all) { all["iss"] = nullptr; }},
      {"another resource", [](Json& all) { all["aud"] = "https://other.example/mcp"; }},
      {"another resource", [](Json& all) { all.erase("aud"); }},
      {"when it ends", [](Json& all) { all["exp"] = "never"; }},
      {"has ended", [](Json& all) { all["exp"] = 1; }},
      {"not good yet", [](Json& all) { all["nbf"] = 99'999'999'999; }},
      {"not good yet", [](Json& all) { all["nbf"] = 99'999'999'999.5; }},
      {"when it begins", [](Json& all) { all["nbf"] = "99999999999"; }},
      {"no Bearer", [](Json& all) { all["token_type"] = "DPoP"; }},
  };
  int tokens = 0;
  for (const auto& [why, change] : changes) {
    endpoint_.answer = active();
    change(endpoint_.answer);
    const Result<AccessToken> judged = judge("t" + std::to_string(++tokens));
    EXPECT_EQ(code_of(judged), ErrorCode::kInvalidInput) << why;
    if (judged.ok()) continue;
    EXPECT_NE(judged.error().message.find(why), std::string::npos) << judged.error().message;
  }
  for (const char* const absent : {"iss", "exp", "sub", "scope", "token_type"}) {
    endpoint_.answer = active();
    endpoint_.answer.erase(absent);
    EXPECT_TRUE(judge("t" + std::to_string(++tokens)).ok()) << absent;
  }
}

// Goal: nobody comes in while nobody can tell, and it is told in one line without the token or our
// secret. Nothing of it is kept: the next who asks is asked for.
TEST_F(IntrospectionTest, WhereNobodyCanTellItIsNoVerdict) {
  const auto fails = [this](const std::string& why) {
    const Result<AccessToken> judged = judge();
    EXPECT_EQ(code_of(judged), ErrorCode::kDisconnected) << why;
    if (judged.ok()) return;
    const std::string& told = judged.error().message;
    EXPECT_NE(told.find("https://tokens.example/introspect: "), std::string::npos) << told;
    EXPECT_NE(told.find(why), std::string::npos) << told;
    EXPECT_EQ(told.find_first_of("\r\n"), std::string::npos) << told;
    EXPECT_EQ(told.find("opaque"), std::string::npos) << told;
    EXPECT_EQ(told.find("s3cret"), std::string::npos) << told;
  };
  endpoint_.status = 401;
  endpoint_.answer = {{"error", "invalid_client"}};
  fails("HTTP 401 invalid_client");
  endpoint_.status = 302;
  fails("HTTP 302");
  endpoint_.status = 200;
  for (const char* const text : {"<html>", "[]", "true", R"({"active":"true"})", "{}"}) {
    endpoint_.text = text;
    fails("");
  }
  endpoint_.text = std::string(kDocumentBytesMax + 1, ' ');
  fails("");
  endpoint_.text.clear();
  endpoint_.answer = active();
  EXPECT_TRUE(judge().ok());
  Introspection nowhere(loop, network, clock, wire::parse_url("https://gone.example/i").value(),
                        client());
  EXPECT_EQ(code_of(run(nowhere.judge("opaque", {kIssuer, kUs}, ""))), ErrorCode::kDisconnected);
}

TEST_F(IntrospectionTest, AVerdictIsKeptForHalfAMinuteAndNoLongerThanTheToken) {
  EXPECT_TRUE(judge().ok());
  endpoint_.answer = {{"active", false}};
  wait(seconds(29));
  EXPECT_TRUE(judge().ok());
  EXPECT_EQ(endpoint_.asked.size(), 1U);
  wait(seconds(2));
  EXPECT_FALSE(judge().ok()) << "a revoked token comes in for good";
  EXPECT_FALSE(judge().ok());
  EXPECT_EQ(endpoint_.asked.size(), 2U);
  endpoint_.answer = active();
  endpoint_.answer["exp"] = now() + 5;
  EXPECT_TRUE(judge("short").ok());
  wait(seconds(6));
  endpoint_.answer = {{"active", false}};
  EXPECT_FALSE(judge("short").ok());
  const Result<AccessToken> elsewhere = run(introspection_.judge("short", {kIssuer, "other"}, ""));
  EXPECT_FALSE(elsewhere.ok());
}

// Flood has `callers` show tokens that nobody has given out, `each` at once.
class Flood {
 public:
  Flood(Introspection& introspection, std::vector<std::string> callers, int each) {
    for (const std::string& caller : callers) {
      for (int i = 0; i < each; ++i) {
        tasks_.push_back(
            introspection.judge("junk " + caller + std::to_string(i), {kIssuer, kUs}, caller));
        tasks_.back().start();
      }
    }
  }
  // ended returns how many came to `code`.
  std::size_t ended(ErrorCode code) {
    std::size_t count = 0;
    for (auto& task : tasks_) {
      if (task.done() && !task.result().ok() && task.result().error().code == code) ++count;
    }
    return count;
  }

 private:
  std::vector<Task<Result<AccessToken>>> tasks_;
};

// Before turns, 3,000 made-up tokens of one caller were asked for one after the other, and every
// other caller waited behind them until it was too late.
TEST_F(IntrospectionTest, WhoMakesTokensUpWaitsAndNobodyElseDoes) {
  endpoint_.holds = true;
  Flood flood(introspection_, {"192.0.2.66"}, 3'000);
  wait(std::chrono::milliseconds(100));
  const std::size_t share = endpoint_.asked.size();
  EXPECT_LE(share, 8U) << "one caller has more than his share";
  EXPECT_EQ(flood.ended(ErrorCode::kLimitReached), 3'000U - share - 64U);
  for (int i = 0; i < 20; ++i) {
    auto other = introspection_.judge("good", {kIssuer, kUs}, "192.0.2." + std::to_string(i));
    other.start();
    wait(std::chrono::milliseconds(100));
    EXPECT_EQ(endpoint_.asked.size(), share + 1) << "it is asked for once";
    if (i > 0) continue;
    endpoint_.held.back().respond({200, {}, dump_json(endpoint_.answer)});
    endpoint_.held.pop_back();
    wait(std::chrono::milliseconds(100));
    ASSERT_TRUE(other.done());
    EXPECT_TRUE(other.result().ok());
  }
}

TEST_F(IntrospectionTest, AmongManyFloodsANewCallerIsNextButOne) {
  endpoint_.holds = true;
  std::vector<std::string> callers;
  for (int i = 0; i < 40; ++i) callers.push_back("192.0.2." + std::to_string(100 + i));
  Flood flood(introspection_, callers, 100);
  auto other = introspection_.judge("good", {kIssuer, kUs}, "192.0.2.1");
  other.start();
  wait(std::chrono::milliseconds(100));
  const std::size_t before = endpoint_.asked.size();
  EXPECT_LE(before, 32U);
  // Each of the others has one more before it, at most.
  for (std::size_t released = 0; released < callers.size() + before && !other.done(); ++released) {
    endpoint_.release(1);
    wait(std::chrono::milliseconds(10));
  }
  ASSERT_TRUE(other.done());
  EXPECT_TRUE(other.result().ok());
}

TEST_F(IntrospectionTest, ATokenThatWasGoodDoesNotWaitForMadeUpOnesOfTheSameCaller) {
  EXPECT_TRUE(judge("good", "192.0.2.66").ok());
  endpoint_.holds = true;
  Flood flood(introspection_, {"192.0.2.66"}, 3'000);
  EXPECT_TRUE(judge("good", "192.0.2.66").ok()) << "what is kept is lost";
  wait(seconds(31));
  Flood more(introspection_, {"192.0.2.66"}, 3'000);
  wait(std::chrono::milliseconds(100));
  const std::size_t before = endpoint_.asked.size();
  auto again = introspection_.judge("good", {kIssuer, kUs}, "192.0.2.66");
  again.start();
  wait(std::chrono::milliseconds(100));
  ASSERT_EQ(endpoint_.asked.size(), before + 1);
  endpoint_.held.back().respond({200, {}, dump_json(endpoint_.answer)});
  wait(std::chrono::milliseconds(100));
  ASSERT_TRUE(again.done());
  EXPECT_TRUE(again.result().ok());
}

TEST_F(IntrospectionTest, BadTokensDoNotDriveGoodOnesOut) {
  EXPECT_TRUE(judge("good").ok());
  endpoint_.answer = {{"active", false}};
  for (int i = 0; i < 2'000; ++i) EXPECT_FALSE(judge("bad " + std::to_string(i)).ok());
  const std::size_t before = endpoint_.asked.size();
  EXPECT_TRUE(judge("good").ok());
  EXPECT_FALSE(judge("bad 1999").ok());
  EXPECT_EQ(endpoint_.asked.size(), before);
}

TEST_F(IntrospectionTest, WhatIsKeptIsBounded) {
  for (int i = 0; i < 1100; ++i) EXPECT_TRUE(judge("t" + std::to_string(i)).ok());
  const std::size_t before = endpoint_.asked.size();
  EXPECT_EQ(before, 1100U);
  wait(seconds(1));
  int asked_again = 0;
  for (int i = 1099; i >= 0; --i) {
    const std::size_t then = endpoint_.asked.size();
    EXPECT_TRUE(judge("t" + std::to_string(i)).ok());
    asked_again += endpoint_.asked.size() > then ? 1 : 0;
  }
  EXPECT_GE(asked_again, 100);
}

}  // namespace
}  // namespace plumbline::auth
