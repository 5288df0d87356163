#include "conformance/checks/server/features/logged_secrets.h"

#include <gtest/gtest.h>

namespace plumbline::conformance {
namespace {

constexpr const char* kKey = "9fJ2sQ81mXbV04ZtRk7c";

TEST(LoggedSecrets, AreKnownByTheirNames) {
  const std::string key = kKey;
  EXPECT_EQ(secret_logged("GET https://tides.example/v2?station=N&api_key=" + key), "api_key");
  EXPECT_EQ(secret_logged("signed in with password: " + key), "password");
  EXPECT_EQ(secret_logged(Json{{"options", {{"clientSecret", key}}}}), "clientSecret");
  EXPECT_EQ(secret_logged(Json{{"headers", {{"Authorization", "Bearer " + key}}}}),
            "Authorization");
}

TEST(LoggedSecrets, AreKnownByTheirForm) {
  const std::string key = kKey;
  EXPECT_EQ(secret_logged("asked with ghp_" + key), "ghp_");
  EXPECT_EQ(secret_logged("-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\n"
                          "-----END PRIVATE KEY-----"),
            "PRIVATE KEY");
}

TEST(LoggedSecrets, AreNoPlacesToGoOnFrom) {
  const std::string place = "eyJvZmZzZXQiOjUwLCJvcmRlciI6Im5hbWUiLCJwYWdlIjozfQ";
  EXPECT_EQ(secret_logged(Json{{"next_page_token", place}}), "");
  EXPECT_EQ(secret_logged(Json{{"next", place}}), "");
  EXPECT_EQ(secret_logged("goes on with next_page_token=" + place), "");
  EXPECT_EQ(secret_logged(Json{{"progressToken", "plumbline-10001"}}), "");
}

TEST(LoggedSecrets, AreNoPathsMasksOrWords) {
  EXPECT_EQ(secret_logged("private_key=/run/secrets/jwt_rs256.pem"), "");
  EXPECT_EQ(secret_logged("private_key=jwt_rs256_2026.pem"), "");
  EXPECT_EQ(secret_logged(Json{{"private_key", "./keys/jwt_rs256.pem"}}), "");
  EXPECT_EQ(secret_logged(Json{{"password", "[redacted]"}}), "");
  EXPECT_EQ(secret_logged("api_key=sk_live_51Hxxxxxxxxxxx"), "");
  EXPECT_EQ(secret_logged("api_key=${TIDES_API_KEY_V2}"), "");
  EXPECT_EQ(secret_logged("password: required since version2"), "");
  EXPECT_EQ(secret_logged("writes -----BEGIN PRIVATE KEY----- before it"), "");
}

}  // namespace
}  // namespace plumbline::conformance
