// Whole sign-ins in a simulated world: right ones, and each way in which a server or what comes
// back from the browser is wrong. Those must end without a token, and say why.

#include "core/auth/sign_in.h"

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "core/auth/auth_fixture.h"
#include "core/wire/form.h"

namespace plumbline::auth {
namespace {

class SignInTest : public testing::Test, protected AuthWorldFixture {};

// with_field returns a callback with one of its fields changed, or taken away.
std::string with_field(const std::string& callback, const std::string& name,
                       std::optional<std::string> value) {
  wire::Form form;
  const wire::Form said = wire::query_of(callback);
  for (const auto& [key, old] : said.fields()) {
    if (key != name) form.add(key, old);
  }
  if (value) form.add(name, *value);
  return callback.substr(0, callback.find('?') + 1) + form.text();
}

TEST_F(SignInTest, AServerThatSaysWhoGivesTokensIsSignedInTo) {
  const Result<Token> token = sign_in();
  ASSERT_TRUE(token.ok()) << token.error().message;
  EXPECT_EQ(token.value().server, kResource);
  EXPECT_EQ(token.value().resource, kResource);
  EXPECT_EQ(token.value().client.issuer, kIssuer);
  EXPECT_TRUE(issuer.accepts(token.value().access_token, kResource, ""));
  EXPECT_EQ(issuer.asked().registrations, 1U);
}

TEST_F(SignInTest, ARegistrationIsKeptAndMadeAgainWhereItIsForgotten) {
  ASSERT_TRUE(sign_in().ok());
  ASSERT_TRUE(sign_in().ok());
  EXPECT_EQ(issuer.asked().registrations, 1U);
  issuer.forget_clients();
  person.minds([this](const std::string& url) {
    // The browser shows nothing of a client that is not known any more: the code is refused.
    const std::string back = issuer.authorize(url);
    if (!back.empty()) return back;
    const wire::Form form = wire::query_of(url);
    return form.get("redirect_uri").value() +
           "?code=x&iss=https%3A%2F%2Fas.example&state=" + form.get("state").value();
  });
  EXPECT_TRUE(sign_in().ok());
  EXPECT_EQ(issuer.asked().registrations, 2U);
}

TEST_F(SignInTest, OnlyTheCodeInvalidClientForgetsARegistration) {
  ASSERT_TRUE(sign_in().ok());
  const auto refused_with = [this](const char* body) {
    issuer.script().refusal = wire::HttpResponse{400, {}, body};
    EXPECT_FALSE(sign_in().ok());
    issuer.script().refusal.reset();
    return issuer.asked().registrations;
  };
  EXPECT_EQ(refused_with(R"({"error":"server_error","error_description":"invalid_client"})"), 1U);
  EXPECT_EQ(refused_with(R"({"error":"not_invalid_client"})"), 1U);
  EXPECT_EQ(refused_with("invalid_client"), 1U);
  EXPECT_EQ(refused_with(R"({"error":"invalid_client","error_description":"hello"})"), 2U);
}

TEST_F(SignInTest, AClientIdThatWasGivenIsUsedAndNothingRegistered) {
  SignInOptions options;
  options.client.client_id = "given";
  std::string seen;
  person.minds([&](const std::string& url) {
    seen = wire::query_of(url).get("client_id").value_or("");
    return std::string();
  });
  EXPECT_FALSE(sign_in(options).ok());
  EXPECT_EQ(seen, "given");
  EXPECT_EQ(issuer.asked().registrations, 0U);
}

TEST_F(SignInTest, EndpointsThatAPersonHasWrittenAreUsed) {
  SignInOptions options;
  options.client.client_id = "given";
  options.client.issuer = kIssuer;
  options.client.authorization_endpoint = std::string(kIssuer) + "/authorize";
  options.client.token_endpoint = std::string(kIssuer) + "/token";
  const std::string back = person.redirect_uri("").value();
  issuer.script().clients["given"] = back;
  issuer.give("given", back, kResource, "", kNever);
  const Result<Token> token = sign_in(options);
  ASSERT_TRUE(token.ok()) << token.error().message;
  EXPECT_TRUE(issuer.accepts(token.value().access_token, kResource, ""));
  EXPECT_EQ(issuer.asked().documents, 0U);
  EXPECT_EQ(issuer.asked().registrations, 0U);
}

// A server of a stranger: its metadata leads to the endpoint of another one, as `name` says.
void lead_away(AuthWorldFixture& world, const char* name, bool promises_issuer) {
  world.issuer.script().metadata[name] = "https://honest.example/endpoint";
  world.issuer.script().metadata["authorization_response_iss_parameter_supported"] =
      promises_issuer;
}

constexpr const char* kEndpoints[] = {"authorization_endpoint", "token_endpoint",
                                      "registration_endpoint", "revocation_endpoint"};

TEST_F(SignInTest, EndpointsElsewhereAreAskedAboutBeforeAnythingIsSent) {
  for (const char* const endpoint : kEndpoints) {
    issuer.script().metadata = Json::object();
    lead_away(*this, endpoint, false);
    const std::size_t asked = person.questions().size();
    const Result<Token> token = sign_in();
    ASSERT_FALSE(token.ok()) << endpoint;
    const std::string& told = token.error().message;
    for (const char* const word : {kIssuer, endpoint, "--endpoint-origin https://honest.example"}) {
      EXPECT_NE(told.find(word), std::string::npos) << told;
    }
    EXPECT_EQ(told.find('\n'), std::string::npos) << told;
    ASSERT_EQ(person.questions().size(), asked + 1);
    for (const char* const word : {kIssuer, endpoint, "https://honest.example/endpoint"}) {
      EXPECT_NE(person.questions().back().find(word), std::string::npos);
    }
  }
  EXPECT_EQ(person.visits(), 0U);
  EXPECT_EQ(issuer.asked().registrations, 0U);
}

TEST_F(SignInTest, EndpointsElsewhereAreUsedByAPersonsWordOrAPromiseOfTheIssuer) {
  lead_away(*this, "revocation_endpoint", false);
  SignInOptions options;
  options.client.endpoint_origins = {"https://other.example"};
  EXPECT_FALSE(sign_in(options).ok());
  options.client.endpoint_origins.push_back("https://honest.example/");
  EXPECT_TRUE(sign_in(options).ok());
  EXPECT_EQ(person.questions().size(), 1U);
  person.trusts(true);
  EXPECT_TRUE(sign_in().ok());
  EXPECT_EQ(person.questions().size(), 2U);
  person.trusts(false);
  lead_away(*this, "revocation_endpoint", true);
  EXPECT_TRUE(sign_in().ok());
  EXPECT_EQ(person.questions().size(), 2U);
}

TEST_F(SignInTest, TheSameOriginInOtherLettersIsNotElsewhere) {
  lead_away(*this, "revocation_endpoint", false);
  issuer.script().metadata["revocation_endpoint"] = "https://AS.example:443/revoke";
  EXPECT_TRUE(sign_in().ok());
  EXPECT_EQ(person.questions().size(), 0U);
}

// Goal: nobody's code reaches a stranger. Method: the stranger's metadata sends the browser to an
// honest server, which names itself or does not, and takes codes at home.
TEST_F(SignInTest, AStrangerGetsNoCodeOfAnHonestServer) {
  fakes::AuthorizationServer honest(loop, "https://honest.example");
  for (const bool promises : {false, true}) {
    for (const bool honest_names_itself : {false, true}) {
      lead_away(*this, "authorization_endpoint", promises);
      person.minds([&](const std::string& url) {
        const wire::Form form = wire::query_of(url);
        honest.give(form.get("client_id").value(), form.get("redirect_uri").value(), "", "", {});
        const std::string back = honest.authorize(url);
        return honest_names_itself ? back : with_field(back, "iss", std::nullopt);
      });
      EXPECT_FALSE(sign_in().ok()) << promises << honest_names_itself;
      EXPECT_EQ(issuer.asked().tokens, 0U) << promises << honest_names_itself;
    }
  }
}

SignInOptions with_secret(const std::string& issuer_of_it, const char* kind) {
  SignInOptions options;
  options.client.client_id = "given";
  options.client.issuer = issuer_of_it;
  options.client.person = std::string_view(kind) != "itself";
  const bool key = std::string_view(kind) == "key";
  (key ? options.client.private_key : options.client.client_secret) = "planted-secret";
  return options;
}

TEST_F(SignInTest, ASecretGoesOnlyToTheIssuerThatWasStatedForIt) {
  for (const char* const kind : {"secret", "key", "itself"}) {
    const Result<Token> unstated = sign_in(with_secret("", kind));
    ASSERT_FALSE(unstated.ok()) << kind;
    EXPECT_EQ(unstated.error().code, ErrorCode::kInvalidInput);
    EXPECT_NE(unstated.error().message.find("--issuer"), std::string::npos);
    const Result<Token> other = sign_in(with_secret("https://honest.example", kind));
    ASSERT_FALSE(other.ok()) << kind;
    EXPECT_NE(other.error().message.find("https://honest.example"), std::string::npos);
    EXPECT_NE(other.error().message.find(kIssuer), std::string::npos);
  }
  EXPECT_EQ(issuer.asked().tokens, 0U);
  EXPECT_EQ(person.visits(), 0U);
  issuer.script().metadata["token_endpoint_auth_methods_supported"] = nullptr;
  EXPECT_FALSE(sign_in(with_secret(std::string(kIssuer) + "/", "itself")).ok());
  EXPECT_EQ(issuer.asked().tokens, 1U) << "it is asked where it was stated";
}

TEST_F(SignInTest, AClientForItselfGoesByNoPromiseOfTheIssuer) {
  for (const char* const endpoint : kEndpoints) {
    issuer.script().metadata = {{"token_endpoint_auth_methods_supported", nullptr}};
    lead_away(*this, endpoint, true);
    const Result<Token> token = sign_in(with_secret(kIssuer, "itself"));
    ASSERT_FALSE(token.ok());
    const bool doubted = token.error().message.find("--endpoint-origin") != std::string::npos;
    EXPECT_EQ(doubted, std::string_view(endpoint) != "authorization_endpoint") << endpoint;
  }
}

struct WrongWay {
  const char* name;
  std::function<void(AuthWorldFixture&)> make;
  const char* told;  // In the message.
  bool before_browser = true;
};

std::ostream& operator<<(std::ostream& out, const WrongWay& way) { return out << way.name; }

class WrongServerTest : public testing::TestWithParam<WrongWay>, protected AuthWorldFixture {};

TEST_P(WrongServerTest, GivesNoToken) {
  GetParam().make(*this);
  const Result<Token> token = sign_in();
  ASSERT_FALSE(token.ok());
  EXPECT_NE(token.error().message.find(GetParam().told), std::string::npos)
      << token.error().message;
  EXPECT_EQ(token.error().message.find('\n'), std::string::npos);
  EXPECT_EQ(person.visits() == 0, GetParam().before_browser);
}

void put(AuthWorldFixture& world, const char* member, const Json& value) {
  world.issuer.script().metadata[member] = value;
}

const WrongWay kWrongServers[] = {
    {"NoPkce", [](auto& w) { put(w, "code_challenge_methods_supported", nullptr); }, "PKCE"},
    {"PlainPkceAlone", [](auto& w) { put(w, "code_challenge_methods_supported", {"plain"}); },
     "PKCE"},
    {"AnotherIssuer", [](auto& w) { put(w, "issuer", "https://evil.example"); },
     "https://evil.example"},
    {"AnIssuerWithASlash", [](auto& w) { put(w, "issuer", "https://as.example/"); }, "slash"},
    {"TokensInTheClear", [](auto& w) { put(w, "token_endpoint", "http://as.example/token"); },
     "not https"},
    {"TokensAtAPrivateAddress",
     [](auto& w) { put(w, "token_endpoint", "https://169.254.169.254/token"); }, "private"},
    {"ABrowserThatOpensFiles",
     [](auto& w) { put(w, "authorization_endpoint", "file:///etc/passwd"); }, "file:///etc"},
    {"NoWayToRegister", [](auto& w) { put(w, "registration_endpoint", nullptr); }, "--client-id"},
    {"MetadataThatIsTooLong", [](auto& w) { put(w, "x", std::string(65'536, 'x')); },
     "nobody says who gives out tokens"},
    {"AnotherResource",
     [](auto& w) { w.resource.script().metadata["resource"] = "https://other.example/mcp"; },
     "https://other.example/mcp"},
    {"AnAuthorizationServerAtHome",
     [](auto& w) { w.resource.script().metadata["authorization_servers"] = {"http://localhost"}; },
     "private"},
    {"NobodyAtAll", [](auto& w) { w.resource.script().has_metadata = false; },
     "nobody says who gives out tokens"},
    {"TokensElsewhere",
     [](auto& w) { w.issuer.script().redirects_tokens_to = "https://evil.example/token"; },
     "a redirect, which is not followed", false},
    {"ATokenThatNoHeaderHolds",
     [](auto& w) {
       w.issuer.script().token_answer = R"({"access_token":"a\r\nX: y","token_type":"Bearer"})";
     },
     "access_token", false},
    {"ATokenOfAnotherKind",
     [](auto& w) { w.issuer.script().token_answer = R"({"access_token":"a","token_type":"mac"})"; },
     "Bearer", false},
    {"NoJson", [](auto& w) { w.issuer.script().token_answer = "<html>"; }, "/token", false},
};

INSTANTIATE_TEST_SUITE_P(Each, WrongServerTest, testing::ValuesIn(kWrongServers),
                         [](const auto& one) { return std::string(one.param.name); });

struct WrongAnswer {
  const char* name;
  std::function<std::string(const std::string& callback)> bend;
  const char* told;
};

std::ostream& operator<<(std::ostream& out, const WrongAnswer& answer) {
  return out << answer.name;
}

class WrongAnswerTest : public testing::TestWithParam<WrongAnswer>, protected AuthWorldFixture {};

TEST_P(WrongAnswerTest, IsNotRedeemed) {
  person.minds([this](const std::string& url) { return GetParam().bend(issuer.authorize(url)); });
  const Result<Token> token = sign_in();
  ASSERT_FALSE(token.ok());
  EXPECT_NE(token.error().message.find(GetParam().told), std::string::npos)
      << token.error().message;
  EXPECT_EQ(token.error().message.find("canary"), std::string::npos) << token.error().message;
  EXPECT_EQ(issuer.asked().codes, 0U);
}

const WrongAnswer kWrongAnswers[] = {
    {"AnotherState", [](auto& back) { return with_field(back, "state", "x"); }, "state"},
    {"NoState", [](auto& back) { return with_field(back, "state", std::nullopt); }, "state"},
    {"AnotherIssuer", [](auto& back) { return with_field(back, "iss", "https://evil.example"); },
     "iss"},
    {"AnIssuerThatIsTheSameToPeople",
     [](auto& back) { return with_field(back, "iss", "https://AS.example"); }, "iss"},
    {"NoIssuerWhereOneIsPromised", [](auto& back) { return with_field(back, "iss", std::nullopt); },
     "iss"},
    {"TwoCodes", [](auto& back) { return back + "&code=y"; }, "more than one"},
    {"NoCode", [](auto& back) { return with_field(back, "code", std::nullopt); }, "no code"},
    {"Denied", [](auto& back) { return with_field(back, "error", "access_denied"); },
     "access_denied"},
    {"DeniedBySomebodyElse",
     [](auto& back) {
       return with_field(with_field(back, "iss", "https://evil.example"), "error_description",
                         "canary") +
              "&error=canary";
     },
     "iss"},
    {"AClosedWindow", [](auto&) { return std::string(); }, "nobody has come back"},
};

INSTANTIATE_TEST_SUITE_P(Each, WrongAnswerTest, testing::ValuesIn(kWrongAnswers),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_F(SignInTest, EndpointsAreGuessedAtTheFirstRevisionAlone) {
  Discovery old(server(), Challenge(), mcp::Revision::k2025_03_26);
  Discovery later(server(), Challenge(), mcp::Revision::k2025_06_18);
  std::vector<std::string> asked;
  while (const auto next = old.next()) {
    asked.push_back(next->origin() + next->target);
    old.take(wire::HttpResponse{404, {}, ""});
  }
  while (later.next()) later.take(wire::HttpResponse{404, {}, ""});
  EXPECT_EQ(asked, (std::vector<std::string>{
                       "https://mcp.example/.well-known/oauth-protected-resource/mcp",
                       "https://mcp.example/.well-known/oauth-protected-resource",
                       "https://mcp.example/.well-known/oauth-authorization-server",
                       "https://mcp.example/.well-known/openid-configuration"}));
  ASSERT_TRUE(old.result().ok());
  EXPECT_EQ(old.result().value().server.token_endpoint, "https://mcp.example/token");
  EXPECT_FALSE(later.result().ok());
}

TEST_F(SignInTest, AnIssuerWithAPathIsLookedForInTheOrderOfTheSpecification) {
  Discovery discovery(server(), {true, "https://mcp.example/where", "a b", ""}, mcp::kLatest);
  std::vector<std::string> asked;
  while (const auto next = discovery.next()) {
    asked.push_back(next->origin() + next->target);
    const Json document = {{"resource", "https://mcp.example/mcp"},
                           {"authorization_servers", {"https://as.example/tenant"}}};
    const bool first = asked.size() == 1;
    discovery.take(wire::HttpResponse{first ? 200 : 404, {}, first ? dump_json(document) : ""});
  }
  EXPECT_EQ(asked, (std::vector<std::string>{
                       "https://mcp.example/where",
                       "https://as.example/.well-known/oauth-authorization-server/tenant",
                       "https://as.example/.well-known/openid-configuration/tenant",
                       "https://as.example/tenant/.well-known/openid-configuration"}));
  EXPECT_FALSE(discovery.result().ok());
}

}  // namespace
}  // namespace plumbline::auth
