#include "cli/config/authentication.h"

#include <string>

#include <gtest/gtest.h>

namespace plumbline::cli {
namespace {

Result<Authentication> read(const char* text) {
  const Json json = parse_json(text).value();
  std::optional<Problem> problem;
  const auto variable = [](const std::string& name) {
    return name == "KEY" ? std::optional<std::string>("key-of-the-environment") : std::nullopt;
  };
  Authentication out = read_authentication(json, "/authentication", variable, problem);
  if (!problem) return out;
  return Error{ErrorCode::kInvalidInput, problem->pointer + ": " + problem->message};
}

TEST(AuthenticationTest, KeysAndTokensAreSentAsTheyAreWantedThere) {
  using Header = std::pair<std::string, std::string>;
  EXPECT_EQ(read(R"({"type":"api-key","key":"k1234"})").value().header,
            Header("X-API-Key", "k1234"));
  EXPECT_EQ(
      read(R"({"type":"api-key","key":"${KEY}","header":"X-Mine","prefix":"Key "})").value().header,
      Header("X-Mine", "Key key-of-the-environment"));
  EXPECT_EQ(read(R"({"type":"bearer","token":"t1234"})").value().header,
            Header("Authorization", "Bearer t1234"));
  EXPECT_EQ(read(R"({"type":"bearer","token":"${KEY}"})").value().secret, "key-of-the-environment");
}

TEST(AuthenticationTest, AStoredKeyIsNoHeaderYetAndSaysWhereItWillStand) {
  const Authentication key =
      read(R"({"type":"api-key","stored":true,"header":"X-Mine","prefix":"Key "})").value();
  EXPECT_FALSE(key.header);
  EXPECT_EQ(key.name + ": " + key.prefix, "X-Mine: Key ");
  const Authentication token = read(R"({"type":"bearer","stored":true})").value();
  EXPECT_FALSE(token.header);
  EXPECT_EQ(token.name + ": " + token.prefix, "Authorization: Bearer ");
}

TEST(AuthenticationTest, OfOAuthItSaysWhoWeAre) {
  const Authentication read_one =
      read(R"({"type":"oauth2","clientId":"we","scopes":["a","b"]})").value();
  EXPECT_FALSE(read_one.header);
  EXPECT_EQ(read_one.client_id, "we");
  EXPECT_EQ(read_one.scopes, (std::vector<std::string>{"a", "b"}));
}

TEST(AuthenticationTest, ASecretOfOAuthStandsBesideItsIssuer) {
  const Authentication read_one = read(R"({"type":"oauth2","clientId":"we","clientSecret":"${KEY}",
      "issuer":"https://as.example","endpointOrigins":["https://t.example"]})")
                                      .value();
  EXPECT_EQ(read_one.client_secret, "${KEY}");
  EXPECT_EQ(read_one.issuer, "https://as.example");
  EXPECT_EQ(read_one.endpoint_origins, (std::vector<std::string>{"https://t.example"}));
  for (const char* const text :
       {R"({"type":"oauth2","clientId":"we","clientSecret":"planted"})",
        R"({"type":"oauth2","issuer":"https://as.example","clientSecret":"planted"})"}) {
    const Result<Authentication> refused = read(text);
    ASSERT_FALSE(refused.ok()) << text;
    EXPECT_NE(refused.error().message.find("beside it"), std::string::npos);
    EXPECT_EQ(refused.error().message.find("planted"), std::string::npos);
  }
}

TEST(AuthenticationTest, EndpointsAndTheRedirectAreReadTogether) {
  const Authentication read_one = read(R"({"type":"oauth2","clientId":"we","clientSecret":"s",
      "authorizationEndpoint":"https://as.example/authorize",
      "tokenEndpoint":"https://tokens.example/token","redirectUri":"http://localhost:8123/cb"})")
                                      .value();
  EXPECT_EQ(read_one.issuer, "https://tokens.example");
  EXPECT_EQ(read_one.authorization_endpoint, "https://as.example/authorize");
  EXPECT_EQ(read_one.token_endpoint, "https://tokens.example/token");
  EXPECT_EQ(read_one.redirect_uri, "http://localhost:8123/cb");
  const std::pair<const char*, const char*> wrong[] = {
      {R"({"type":"oauth2","clientId":"we","tokenEndpoint":"https://as.example/token"})",
       "expected \"authorizationEndpoint\" beside it"},
      {R"({"type":"oauth2","clientId":"we","authorizationEndpoint":"https://as.example/a"})",
       "expected \"tokenEndpoint\" beside it"},
      {R"({"type":"oauth2","redirectUri":"https://app.example/cb"})", "is elsewhere"},
      {R"({"type":"oauth2","redirectUri":"nowhere"})", "is no address"},
  };
  for (const auto& [text, message] : wrong) {
    const Result<Authentication> refused = read(text);
    ASSERT_FALSE(refused.ok()) << text;
    EXPECT_NE(refused.error().message.find(message), std::string::npos) << refused.error().message;
  }
}

// A member that is misspelt, or that we do not have, is as if it were not there: refused.
TEST(AuthenticationTest, EveryTypeRefusesWhatItDoesNotRead) {
  const std::pair<const char*, const char*> wrong[] = {
      {R"({"type":"api-key","key":"k","heder":"X"})", "unknown key \"heder\""},
      {R"({"type":"bearer","token":"t","prefix":"X"})", "unknown key \"prefix\""},
      {R"({"type":"bearer","stored":true,"header":"X"})", "unknown key \"header\""},
      {R"({"type":"oauth2","clientid":"we"})", "unknown key \"clientid\""},
      {R"({"type":"oauth2","scopes":"read"})", "expected an array"},
      {R"({"type":"oauth2","clientId":7})", "expected a string"},
      {R"({"type":"oauth2","client_secret":"hidden"})", "unknown key \"client_secret\""},
      {R"({"type":"api-key","key":"k","stored":"no"})", "expected true or false"},
  };
  for (const auto& [text, message] : wrong) {
    const Result<Authentication> refused = read(text);
    ASSERT_FALSE(refused.ok()) << text;
    EXPECT_NE(refused.error().message.find(message), std::string::npos) << refused.error().message;
    EXPECT_EQ(refused.error().message.find("hidden"), std::string::npos);
  }
}

TEST(AuthenticationTest, WhatIsWrongIsToldWithoutTheSecret) {
  for (const char* const text :
       {R"("bearer")", R"({"type":"basic"})", R"({"type":"bearer"})",
        R"({"type":"api-key","key":7})", R"({"type":"bearer","token":"${MISSING}"})",
        R"({"type":"bearer","token":"se\ncret"})"}) {
    const Result<Authentication> refused = read(text);
    ASSERT_FALSE(refused.ok()) << text;
    EXPECT_NE(refused.error().message.find("authentication"), std::string::npos);
    EXPECT_EQ(refused.error().message.find("cret"), std::string::npos);
  }
}

}  // namespace
}  // namespace plumbline::cli
