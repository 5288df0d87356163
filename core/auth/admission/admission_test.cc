// Who comes in, and who does not: keys made here sign tokens that are right, and wrong in one way
// each.

#include "core/auth/admission/admission.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/auth/admission/signed_tokens.h"
#include "core/auth/auth_fixture.h"
#include "core/auth/crypto/signing_key.h"
#include "core/auth/crypto/test_keys_fixture.h"
#include "core/base/base64.h"

namespace plumbline::auth {
namespace {

using std::chrono::minutes;

constexpr const char* kGuarded = "https://guarded.example/mcp";

// Inside answers whoever comes in.
struct Inside final : net::HttpHandler {
  void on_request(wire::HttpRequest request, net::HttpReply reply) override {
    ++requests;
    principal = reply.principal();
    reply.respond(wire::HttpResponse{200, {}, request.body});
  }
  int requests = 0;
  std::string principal;
};

// Jwks serves a key set, as an issuer does.
struct Jwks final : net::HttpHandler {
  void on_request(wire::HttpRequest /*request*/, net::HttpReply reply) override {
    ++requests;
    reply.respond(wire::HttpResponse{status, {}, dump_json(document)});
  }
  Json document = Json::object();
  int status = 200;
  int requests = 0;
};

class AdmissionTest : public testing::Test, protected AuthWorldFixture {
 protected:
  void SetUp() override {
    jwks_.document = key_set();
    admission_.guard(kGuarded, inside_);
  }

  Json claims() {
    const auto now = std::chrono::duration_cast<std::chrono::seconds>(clock.since_1970()).count();
    return {{"iss", kIssuer},
            {"aud", {kGuarded}},
            {"sub", "somebody"},
            {"exp", now + 600},
            {"scope", "mcp:use x"}};
  }

  wire::HttpResponse ask(const std::string& authorization, std::string method = "POST",
                         const std::string& target = "/mcp") {
    net::HttpClient client(loop, network);
    wire::HttpRequest request;
    request.method = std::move(method);
    if (!authorization.empty()) request.headers.set("Authorization", authorization);
    wire::Url to = wire::parse_url(kGuarded).value();
    to.target = target;
    const Instant deadline = loop.now() + minutes(1);
    auto answer = run(net::fetch(client, std::move(to), std::move(request), deadline, 10'000));
    return answer.ok() ? answer.value() : wire::HttpResponse{0, {}, answer.error().message};
  }

  int status_with(const std::string& token) { return ask("Bearer " + token).status; }

  Jwks jwks_;
  Place jwks_place_{loop, network, "keys.example", jwks_};
  KeySource keys_{loop, network, wire::parse_url("https://keys.example/jwks").value()};
  Inside inside_;
  SignedTokens signed_{keys_, clock};
  Admission admission_{signed_, {kIssuer, "", {"mcp:use"}, {}}};
  Place place_{loop, network, "guarded.example", admission_};
};

TEST_F(AdmissionTest, AGoodTokenOfEachAlgorithmComesIn) {
  for (const char* const kind : {"RS256", "ES256", "EdDSA"}) {
    EXPECT_EQ(status_with(signing_key(kind).sign(claims())), 200) << kind;
  }
  EXPECT_EQ(ask("bearer  " + signing_key("ES256").sign(claims())).status, 200);
  EXPECT_EQ(inside_.requests, 4);
  EXPECT_EQ(jwks_.requests, 1);
}

TEST_F(AdmissionTest, WhoComesInIsNamedByTheToken) {
  const auto principal_with = [this](const Json& changed) {
    Json all = claims();
    all.update(changed);
    inside_.principal = "nobody came in";
    status_with(signing_key("ES256").sign(all));
    return inside_.principal;
  };
  const std::string somebody = principal_with(Json::object());
  EXPECT_EQ(principal_with({{"client_id", "app"}, {"exp", 1'900'000'000}}), somebody);
  EXPECT_NE(principal_with({{"sub", "somebody else"}}), somebody);
  const std::string client = principal_with({{"sub", nullptr}, {"client_id", "somebody"}});
  EXPECT_FALSE(client.empty());
  EXPECT_NE(client, somebody) << "a client passes for the user of its name";
  EXPECT_NE(principal_with({{"sub", client}}), client) << "a user passes for a client";
  EXPECT_EQ(principal_with({{"sub", nullptr}}), "nobody came in");
  EXPECT_EQ(principal_with({{"sub", ""}}), "nobody came in");
}

TEST_F(AdmissionTest, WhoShowsNothingIsToldWhereTokensAre) {
  const wire::HttpResponse refused = ask("");
  EXPECT_EQ(refused.status, 401);
  const Challenge challenge = challenge_of(refused.headers);
  EXPECT_EQ(challenge.error, "");
  EXPECT_EQ(challenge.scope, "mcp:use");
  const Result<wire::Url> document = wire::parse_url(challenge.resource_metadata);
  ASSERT_TRUE(document.ok());
  const wire::HttpResponse metadata = ask("", "GET", document.value().target);
  const Result<ResourceMetadata> read = read_resource_metadata(parse_json(metadata.body).value());
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().resource, kGuarded);
  EXPECT_EQ(read.value().authorization_servers, (std::vector<std::string>{kIssuer}));
  EXPECT_EQ(ask("", "OPTIONS").status, 200);
  EXPECT_EQ(ask("", "POST", "/mcp?access_token=" + signing_key("ES256").sign(claims())).status,
            401);
}

TEST_F(AdmissionTest, EachWrongTokenIsRefused) {
  using Change = std::function<void(Json&)>;
  const std::pair<const char*, Change> changes[] = {
      {"another issuer", [](Json& all) { all["iss"] = "https://evil.example"; }},
      {"another resource", [](Json& all) { all["aud"] = "https://other.example/mcp"; }},
      {"another resource", [](Json& all) { all.erase("aud"); }},
      {"when it ends", [](Json& all) { all.erase("exp"); }},
      {"when it ends", [](Json& all) { all["exp"] = "never"; }},
      {"has ended", [](Json& all) { all["exp"] = 1; }},
      {"has ended", [](Json& all) { all["exp"] = 1.5; }},
      {"not good yet", [](Json& all) { all["nbf"] = 99'999'999'999; }},
      {"not good yet", [](Json& all) { all["nbf"] = 9.9e300; }},
      {"when it begins", [](Json& all) { all["nbf"] = "99999999999"; }},
      {"when it begins", [](Json& all) { all["nbf"] = nullptr; }},
      {"when it begins", [](Json& all) { all["nbf"] = Json::array({1}); }},
  };
  for (const auto& [why, change] : changes) {
    Json wrong = claims();
    change(wrong);
    const wire::HttpResponse refused = ask("Bearer " + signing_key("ES256").sign(wrong));
    EXPECT_EQ(refused.status, 401) << why;
    EXPECT_NE(refused.headers.get("WWW-Authenticate").value_or("").find(why), std::string::npos)
        << refused.headers.get("WWW-Authenticate").value_or("");
  }
  EXPECT_EQ(inside_.requests, 0);
}

// A token that its issuer has made for another purpose is signed by the same keys.
TEST_F(AdmissionTest, ATokenOfAnotherTypeIsNoAccessToken) {
  for (const char* type : {"JWT", "jwt", "at+jwt", "AT+JWT", "application/at+jwt"}) {
    EXPECT_EQ(status_with(signing_key("ES256").sign(claims(), type)), 200) << type;
  }
  for (const Json& type : {Json("logout+jwt"), Json("dpop+jwt"), Json("secevent+jwt"), Json(""),
                           Json("at+jwt2"), Json("text/at+jwt"), Json(7), Json(nullptr)}) {
    EXPECT_EQ(status_with(signing_key("ES256").sign(claims(), type)), 401) << type;
  }
}

TEST_F(AdmissionTest, NothingButTheKeysSignature) {
  const std::string good = signing_key("RS256").sign(claims());
  const std::string claims_part = good.substr(good.find('.'), good.rfind('.') - good.find('.'));
  const auto with_header = [&](const Json& header, const std::string& signature) {
    return encode_base64url(dump_json(header)) + claims_part + "." + signature;
  };
  const std::string signature = good.substr(good.rfind('.') + 1);
  EXPECT_EQ(status_with(with_header({{"alg", "none"}}, "")), 401);
  EXPECT_EQ(status_with(with_header({{"alg", "None"}}, signature)), 401);
  EXPECT_EQ(status_with(with_header({{"alg", "HS256"}}, signature)), 401);
  EXPECT_EQ(status_with(with_header({{"alg", "ES256"}}, signature)), 401);
  EXPECT_EQ(status_with(with_header({{"alg", "RS256"}, {"kid", "other"}}, signature)), 401);
  EXPECT_EQ(status_with(with_header({{"alg", "RS256"}, {"crit", {"b64"}}}, signature)), 401);
  EXPECT_EQ(status_with(good + "."), 401);
  EXPECT_EQ(status_with(good.substr(0, good.rfind('.'))), 401);
  EXPECT_EQ(status_with(std::string(20'000, 'a')), 401);
  EXPECT_EQ(status_with(foreign_key().sign(claims())), 401);
}

TEST_F(AdmissionTest, ATokenWithoutTheScopeIsForbidden) {
  Json less = claims();
  less["scope"] = "mcp:used mcp";
  const wire::HttpResponse refused = ask("Bearer " + signing_key("ES256").sign(less));
  EXPECT_EQ(refused.status, 403);
  EXPECT_TRUE(challenge_of(refused.headers).asks_for_more_scope());
  EXPECT_EQ(challenge_of(refused.headers).scope, "mcp:use");
}

TEST_F(AdmissionTest, NewKeysAreFoundAndOldOnesServeWhileThereAreNone) {
  jwks_.document = {{"keys", Json::array()}};
  const std::string token = signing_key("ES256").sign(claims());
  EXPECT_EQ(status_with(token), 503);
  jwks_.document = key_set();
  wait(std::chrono::seconds(31));
  EXPECT_EQ(status_with(token), 200);
  jwks_.status = 500;
  wait(minutes(5));
  EXPECT_EQ(status_with(signing_key("RS256").sign(claims())), 200);
  wait(minutes(6));
  EXPECT_EQ(status_with(signing_key("RS256").sign(claims())), 200);
  const int before = jwks_.requests;
  for (int i = 0; i < 100; ++i) EXPECT_EQ(status_with(foreign_key().sign(claims())), 401);
  EXPECT_LE(jwks_.requests, before + 1);
}

RC_GTEST_PROP(AccessTokenPropTest, AnyChangedCharacterIsSeen, ()) {
  static const std::vector<VerifyingKey> keys = read_key_set(key_set()).value();
  const Json claims = {{"iss", "i"}, {"aud", "a"}, {"exp", 2'000'000'000}};
  static const std::string token = signing_key("EdDSA").sign(claims);
  const Duration now = std::chrono::seconds(1'900'000'000);
  RC_ASSERT(judge_token(token, keys, {"i", "a"}, now).ok());
  std::string changed = token;
  const std::size_t at = *rc::gen::inRange<std::size_t>(0, token.size() - 1);
  changed[at] = *rc::gen::inRange<char>('-', 'z');
  RC_PRE(changed[at] != token[at]);
  RC_ASSERT(!judge_token(changed, keys, {"i", "a"}, now).ok());
}

}  // namespace
}  // namespace plumbline::auth
