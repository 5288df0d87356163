// What a method needs is asked of who calls it, in every revision, and said where it is missing.

#include "core/auth/admission/method_scopes.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/auth/admission/admission.h"
#include "core/auth/auth_fixture.h"
#include "core/auth/steps/challenge.h"

namespace plumbline::auth {
namespace {

using Scopes = std::vector<std::string>;

const std::vector<MethodScope> kRules = {{"tools/call", "", "call"},
                                         {"tools/call", "delete_file", "delete"},
                                         {"resources/read", "file:///secret", "secret"}};

std::string body_of(const std::string& method, const char* key = "name",
                    const std::string& target = "") {
  Json message = {{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", Json::object()}};
  if (!target.empty()) message["params"][key] = target;
  return dump_json(message);
}

Scopes needed(std::string body, wire::HttpHeaders headers = {}) {
  wire::HttpRequest request;
  request.method = "POST";
  request.headers = std::move(headers);
  request.body = std::move(body);
  return scopes_needed(kRules, request);
}

TEST(MethodScopesTest, EachMessageOfTheBodyCounts) {
  EXPECT_EQ(needed(body_of("tools/list")), Scopes());
  EXPECT_EQ(needed(body_of("tools/call", "name", "read_file")), Scopes({"call"}));
  EXPECT_EQ(needed(body_of("tools/call", "name", "delete_file")), Scopes({"call", "delete"}));
  EXPECT_EQ(needed(body_of("tools/call")), Scopes({"call"}));
  EXPECT_EQ(needed(body_of("resources/read", "uri", "file:///secret")), Scopes({"secret"}));
  EXPECT_EQ(needed(body_of("resources/read", "uri", "file:///other")), Scopes());
  EXPECT_EQ(needed("[" + body_of("tools/list") + "," +
                   body_of("tools/call", "name", "delete_file") + "]"),
            Scopes({"call", "delete"}));
  EXPECT_EQ(needed("no json"), Scopes());
  EXPECT_EQ(needed("[1,null,\"tools/call\"]"), Scopes());
}

TEST(MethodScopesTest, AWebSocketNeedsAllOfThem) {
  EXPECT_EQ(needed("", {{"Upgrade", "websocket"}}), Scopes({"call", "delete", "secret"}));
}

// Named is a judge to whom a token is the list of its scopes.
struct Named final : TokenJudge {
  Task<Result<AccessToken>> judge(std::string token, TokenRules /*rules*/,
                                  std::string /*caller*/) override {
    AccessToken judged;
    judged.subject = "somebody";
    for (char& c : token) c = c == ',' ? ' ' : c;
    judged.scopes = split_scope(token);
    co_return judged;
  }
};

struct Within final : net::HttpHandler {
  void on_request(wire::HttpRequest /*request*/, net::HttpReply reply) override {
    ++requests;
    reply.respond(wire::HttpResponse{200, {}, ""});
  }
  int requests = 0;
};

class ScopedAdmissionTest : public testing::Test, protected AuthWorldFixture {
 protected:
  void SetUp() override { admission_.guard("https://guarded.example/mcp", within_); }

  wire::HttpResponse post(const std::string& token, const std::string& body) {
    net::HttpClient client(loop, network);
    wire::HttpRequest request;
    request.method = "POST";
    if (!token.empty()) request.headers.set("Authorization", "Bearer " + token);
    request.body = body;
    const wire::Url to = wire::parse_url("https://guarded.example/mcp").value();
    const Instant deadline = after(loop.now(), std::chrono::minutes(1));
    auto answer = run(net::fetch(client, to, std::move(request), deadline, 10'000));
    return answer.ok() ? answer.value() : wire::HttpResponse{0, {}, answer.error().message};
  }

  Named named_;
  Within within_;
  Admission admission_{named_, {kIssuer, "", {"use"}, kRules}};
  Place place_{loop, network, "guarded.example", admission_};
};

// Spec 2025-11-25, basic/authorization, Scope Challenge Handling: the challenge says all that the
// operation needs, so that nothing is lost by asking for it. RFC 6750, section 3.1.
TEST_F(ScopedAdmissionTest, WhatIsMissingIsAskedForByA403) {
  const std::string erase = body_of("tools/call", "name", "delete_file");
  EXPECT_EQ(post("use", body_of("tools/list")).status, 200);
  EXPECT_EQ(post("use,call", body_of("tools/call", "name", "read_file")).status, 200);
  EXPECT_EQ(post("use,call,delete", erase).status, 200);
  EXPECT_EQ(within_.requests, 3);
  for (const char* const token : {"use", "use,call", "use,delete", "call,delete", "x"}) {
    const wire::HttpResponse refused = post(token, erase);
    EXPECT_EQ(refused.status, 403) << token;
    const Challenge challenge = challenge_of(refused.headers);
    EXPECT_EQ(challenge.error, "insufficient_scope");
    EXPECT_EQ(challenge.scope, "use call delete");
    EXPECT_EQ(challenge.resource_metadata,
              "https://guarded.example/.well-known/oauth-protected-resource/mcp");
  }
  EXPECT_EQ(within_.requests, 3);
}

TEST_F(ScopedAdmissionTest, TheStatelessEraIsHeldToItAsWell) {
  Json message = parse_json(body_of("tools/call", "name", "delete_file")).value();
  message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28";
  EXPECT_EQ(post("use,call", dump_json(message)).status, 403);
  EXPECT_EQ(post("use,call,delete", dump_json(message)).status, 200);
}

TEST_F(ScopedAdmissionTest, WhoShowsNothingIsToldWhatToAskFor) {
  const wire::HttpResponse refused = post("", body_of("tools/call", "name", "read_file"));
  EXPECT_EQ(refused.status, 401);
  EXPECT_EQ(challenge_of(refused.headers).scope, "use call");
  EXPECT_EQ(challenge_of(post("", "").headers).scope, "use");
}

}  // namespace
}  // namespace plumbline::auth
