// The exchanges of an HttpClient with an authorizer, in a simulated world.

#include "core/auth/oauth_authorizer.h"

#include <chrono>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "core/auth/auth_fixture.h"
#include "core/net/http_answer.h"

namespace plumbline::auth {
namespace {

using std::chrono::minutes;

class AuthorizerTest : public testing::Test, protected AuthWorldFixture {
 protected:
  void SetUp() override { open(&by_); }

  void open(SignIn* sign_in_by) {
    client_.reset();
    authorizer_ = std::make_unique<OAuthAuthorizer>(loop, server(), tokens_, sign_in_by,
                                                    "run plumbline login");
    net::HttpClientOptions options;
    options.authorizer = authorizer_.get();
    client_ = std::make_unique<net::HttpClient>(loop, network, options);
  }

  Result<wire::HttpResponse> ask(const std::string& url = kResource, std::string method = "POST") {
    wire::HttpRequest request;
    request.method = std::move(method);
    const Instant deadline = loop.now() + minutes(2);
    return run(
        net::fetch(*client_, wire::parse_url(url).value(), std::move(request), deadline, 100'000));
  }

  int status_of(const Result<wire::HttpResponse>& answer) {
    return answer.ok() ? answer.value().status : 0;
  }

  TokenManager tokens_{world()};
  SignIn by_{world(), SignInOptions(), &person};
  std::unique_ptr<OAuthAuthorizer> authorizer_;
  std::unique_ptr<net::HttpClient> client_;
};

TEST_F(AuthorizerTest, ARequestThatIsRefusedIsSentAgainWithAToken) {
  EXPECT_EQ(status_of(ask()), 200);
  EXPECT_EQ(resource.refused(), 1U);
  EXPECT_EQ(status_of(ask()), 200);
  EXPECT_EQ(resource.refused(), 1U);
  EXPECT_EQ(person.visits(), 1U);
}

TEST_F(AuthorizerTest, WithoutAnybodyToSignInTheAnswerSaysWhatToDo) {
  open(nullptr);
  const Result<wire::HttpResponse> answer = ask();
  EXPECT_EQ(status_of(answer), 401);
  EXPECT_NE(answer.value().body.find("run plumbline login"), std::string::npos);
  EXPECT_EQ(resource.refused(), 1U);
}

TEST_F(AuthorizerTest, ATokenGoesToTheOriginOfItsServerAndNowhereElse) {
  fakes::ProtectedResource other("https://other.example/mcp", kIssuer, issuer);
  Place other_place(loop, network, "other.example", other);
  ASSERT_EQ(status_of(ask()), 200);
  EXPECT_EQ(status_of(ask("https://other.example/mcp")), 401);
  EXPECT_TRUE(other.shown().empty());
  EXPECT_EQ(person.visits(), 1U);
}

// Keyed lets in who shows a key.
struct Keyed final : net::HttpHandler {
  void on_request(wire::HttpRequest request, net::HttpReply reply) override {
    shown.push_back(std::string(request.headers.get("X-Key").value_or("")));
    with_tokens += request.headers.get("Authorization") ? 1 : 0;
    reply.respond(wire::HttpResponse{shown.back() == "Key of-ada" && lets_in ? 200 : 401, {}, ""});
  }
  std::vector<std::string> shown;
  int with_tokens = 0;
  bool lets_in = true;
};

TEST_F(AuthorizerTest, AKeyIsShownInItsHeaderForAsLongAsItIsTaken) {
  Keyed keyed;
  Place keyed_place(loop, network, "keyed.example", keyed);
  Token key;
  key.server = "https://keyed.example/mcp";
  key.access_token = "of-ada";
  key.header = "X-Key";
  key.prefix = "Key ";
  ASSERT_TRUE(run(tokens_.store(key)).ok());
  OAuthAuthorizer authorizer(loop, wire::parse_url(key.server).value(), tokens_, nullptr, "say so");
  net::HttpClientOptions options;
  options.authorizer = &authorizer;
  client_ = std::make_unique<net::HttpClient>(loop, network, options);
  EXPECT_EQ(status_of(ask(key.server)), 200);
  wait(std::chrono::hours(100));
  EXPECT_EQ(status_of(ask(key.server)), 200);
  EXPECT_EQ(status_of(ask()), 401);  // Of another server, which is shown nothing.
  EXPECT_TRUE(resource.shown().empty());
  keyed.lets_in = false;
  const Result<wire::HttpResponse> refused = ask(key.server);
  EXPECT_EQ(status_of(refused), 401);
  EXPECT_NE(refused.value().body.find("say so"), std::string::npos);
  EXPECT_EQ(keyed.shown, std::vector<std::string>(3, "Key of-ada"));
  EXPECT_EQ(keyed.with_tokens, 0);
  client_.reset();
  EXPECT_TRUE(run(tokens_.revoke(key.server)).value());
  EXPECT_EQ(issuer.asked().revocations + issuer.asked().refreshes, 0U);
}

TEST_F(AuthorizerTest, AServerThatRefusesEveryTokenSeesOneSignIn) {
  resource.script().refuses_all = true;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(status_of(ask()), 401);
  EXPECT_EQ(person.visits(), 1U);
}

TEST_F(AuthorizerTest, ATokenThatIsRevokedIsReplacedBySigningInOnce) {
  ASSERT_EQ(status_of(ask()), 200);
  issuer.revoke_all();
  EXPECT_EQ(status_of(ask()), 200);
  EXPECT_EQ(person.visits(), 2U);
  EXPECT_EQ(status_of(ask()), 200);
  EXPECT_EQ(person.visits(), 2U);
}

TEST_F(AuthorizerTest, ATokenThatEndsEarlyIsRenewedWithoutAPerson) {
  ASSERT_EQ(status_of(ask()), 200);
  const auto token = run(tokens_.find(kResource));
  issuer.script().lifetime = minutes(60);
  wait(minutes(61));  // The manager would have renewed it: have it believe otherwise.
  Token longer = *token.value();
  longer.expires.reset();
  longer.obtained = clock.since_1970();
  ASSERT_TRUE(run(tokens_.store(longer)).ok());
  EXPECT_EQ(status_of(ask()), 200);
  EXPECT_EQ(issuer.asked().refreshes, 1U);
  EXPECT_EQ(person.visits(), 1U);
}

TEST_F(AuthorizerTest, ATokenRenewedInTimeAndRefusedAllTheSameIsNotRenewedAgain) {
  ASSERT_EQ(status_of(ask()), 200);
  open(nullptr);      // As another process, which has not seen it taken.
  wait(minutes(59));  // It is about to end: the manager renews it before it is shown.
  resource.script().refuses_all = true;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(status_of(ask()), 401);
  EXPECT_EQ(issuer.asked().refreshes, 1U);

  // Somebody signs in elsewhere.
  resource.script().refuses_all = false;
  issuer.revoke_all();
  TokenManager elsewhere(world());
  ASSERT_TRUE(run(elsewhere.revoke(kResource)).ok());
  OAuthAuthorizer authorizer(loop, server(), elsewhere, &by_, "");
  net::HttpClientOptions options;
  options.authorizer = &authorizer;
  net::HttpClient client(loop, network, options);
  wire::HttpRequest request;
  request.method = "POST";
  const Instant deadline = loop.now() + minutes(2);
  EXPECT_EQ(status_of(run(net::fetch(client, wire::parse_url(kResource).value(), std::move(request),
                                     deadline, 100'000))),
            200);
  EXPECT_EQ(status_of(ask()), 200);
  EXPECT_EQ(issuer.asked().refreshes, 1U);
}

TEST_F(AuthorizerTest, WhatMayPassIsNoRefusal) {
  ASSERT_EQ(status_of(ask()), 200);
  issuer.script().refuses_refreshes = 1'000;
  wait(minutes(61));
  const Result<wire::HttpResponse> answer = ask();
  EXPECT_EQ(status_of(answer), 503);
  EXPECT_NE(answer.value().body.find("/token"), std::string::npos);
  EXPECT_EQ(person.visits(), 1U);
}

TEST_F(AuthorizerTest, MoreScopeIsAskedForBesideWhatWasGranted) {
  resource.script().metadata["scopes_supported"] = {"read"};
  resource.script().scope = "read";
  ASSERT_EQ(status_of(ask()), 200);
  resource.script().scope = "write";
  ASSERT_EQ(status_of(ask()), 200);
  const auto token = run(tokens_.find(kResource));
  EXPECT_EQ(token.value()->scopes, (std::vector<std::string>{"write", "read"}));
  EXPECT_EQ(person.visits(), 2U);
}

TEST_F(AuthorizerTest, AScopeThatIsNeverEnoughIsAskedForOnce) {
  ASSERT_EQ(status_of(ask()), 200);
  person.minds([this](const std::string& url) {
    // The server grants less than it is asked for.
    std::string less = url;
    less.replace(less.find("&scope="), 7, "&xcope=");
    return issuer.authorize(less);
  });
  resource.script().scope = "write";
  for (int i = 0; i < 5; ++i) EXPECT_EQ(status_of(ask()), 403);
  EXPECT_EQ(person.visits(), 2U);
}

TEST_F(AuthorizerTest, ManyRequestsAtATimeLeadToOneSignIn) {
  int answered = 0;
  TaskGroup callers;
  for (int i = 0; i < 50; ++i) {
    callers.spawn([](net::HttpClient& client, Loop& time, int& count) -> Task<void> {
      wire::HttpRequest request;
      request.method = "POST";
      wire::Url to = wire::parse_url(kResource).value();
      const Instant deadline = after(time.now(), minutes(1));
      const Result<wire::HttpResponse> answer =
          co_await net::fetch(client, std::move(to), std::move(request), deadline, 1'000);
      if (answer.ok() && answer.value().status == 200) ++count;
    }(*client_, loop, answered));
  }
  wait(minutes(1));
  EXPECT_EQ(answered, 50);
  EXPECT_EQ(person.visits(), 1U);
}

// Stream is the end of one GET.
struct Stream final : net::HttpAnswerReader {
  void on_answer_event(net::HttpAnswer&, wire::SseEvent) override {}
  void on_answer_over(net::HttpAnswer& answer, const Error*, bool) override {
    status = answer.status();
  }
  int status = 0;
};

TEST_F(AuthorizerTest, NobodySignsInForAStreamThatIsOptionalWhileTheTokenIsGoodForTheRest) {
  issuer.script().gives_refresh_tokens = false;
  ASSERT_EQ(status_of(ask()), 200);
  resource.script().refuses_all = true;
  Stream stream;
  wire::HttpRequest request;
  request.method = "GET";
  const net::HttpAnswer answer(*client_, server(), std::move(request), stream, kNever,
                               net::Worth::kOptional);
  wait(minutes(1));
  EXPECT_EQ(stream.status, 401);
  EXPECT_EQ(person.visits(), 1U);
}

// The stream of HTTP+SSE and the upgrade to a WebSocket are a GET, too: without them there is
// nothing.
TEST_F(AuthorizerTest, ForAGetThatIsNeededSomebodySignsInAgain) {
  issuer.script().gives_refresh_tokens = false;
  ASSERT_EQ(status_of(ask(kResource, "GET")), 200);
  issuer.end_accesses();
  EXPECT_EQ(status_of(ask(kResource, "GET")), 200);
  EXPECT_EQ(person.visits(), 2U);
}

TEST_F(AuthorizerTest, APersonWhoTakesTooLongFailsTheRequestAndTheSignInGoesOn) {
  person.takes(minutes(4));
  const Result<wire::HttpResponse> answer = ask();
  EXPECT_FALSE(answer.ok());
  wait(minutes(3));
  EXPECT_EQ(status_of(ask()), 200);
  EXPECT_EQ(person.visits(), 1U);
}

TEST_F(AuthorizerTest, ASignInOfAnotherProcessIsFoundByWhoHasNoToken) {
  open(nullptr);
  EXPECT_EQ(status_of(ask()), 401);
  TokenManager elsewhere(world());
  ASSERT_TRUE(run(elsewhere.store(sign_in().value())).ok());
  EXPECT_EQ(status_of(ask()), 200);
}

TEST_F(AuthorizerTest, ASignInOfAnotherProcessIsFoundByWhoCannotRenew) {
  issuer.script().gives_refresh_tokens = false;
  ASSERT_TRUE(run(tokens_.store(sign_in().value())).ok());
  open(nullptr);
  EXPECT_EQ(status_of(ask()), 200);
  wait(minutes(61));
  EXPECT_EQ(status_of(ask()), 401);
  TokenManager elsewhere(world());
  ASSERT_TRUE(run(elsewhere.store(sign_in().value())).ok());
  EXPECT_EQ(status_of(ask()), 200);
}

TEST_F(AuthorizerTest, NothingIsSentTwiceWhoseAnswerIsDropped) {
  wire::HttpRequest request;
  request.method = "POST";
  Task<Result<wire::HttpResponse>> asked =
      net::fetch(*client_, server(), std::move(request), kNever, 1'000);
  asked.start();
  wait(std::chrono::seconds(1));
  asked.drop();
  wait(minutes(1));
  EXPECT_EQ(resource.taken(), 0U);
  EXPECT_EQ(status_of(ask()), 200);
}

}  // namespace
}  // namespace plumbline::auth
