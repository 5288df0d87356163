// `login`, `logout` and `tokens` without an authorization server: what is refused, and what is left
// behind. tests/interop/oidc_login.mjs is the rest.

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

class LoginTest : public ProgramTest {};

TEST_F(LoginTest, WhatIsWrongIsToldInOneLine) {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"login"}, "expected --url URL, or --config FILE with --server NAME"},
      {{"login", "--url", "ftp://x"}, "the scheme is none of http"},
      {{"login", "--url", "http://x", "--revision", "2020"}, "--revision 2020"},
      {{"login", "--config", "none.json", "--server", "a"}, "none.json"},
      {{"logout", "--url", "http://x", "--config", "c.json"}, "expected --url URL"},
      {{"logout", "--all", "--url", "http://x"}, "expected no --url"},
      {{"login", "--url", "http://x", "--client-id", "c", "--client-key", path("key.pem")},
       "--issuer URL"},
      {{"login", "--url", "http://x", "--client-key", path("key.pem")}, "--client-id"},
      {{"serve", "--reference", "--stdio", "--auth", "jwks=a,issuer=b"}, "one of --http"},
      {{"serve", "--reference", "--http", "127.0.0.1:0", "--auth", "jwks=a"}, "whose tokens"},
      {{"serve", "--reference", "--http", "127.0.0.1:0", "--auth",
        "jwks=http://a.example/,issuer=b"},
       "is not https"},
  };
  write("key.pem", "a key");
  for (const auto& [words, told] : cases) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << told << "\n" << outcome.err;
    EXPECT_NE(outcome.err.find(told), std::string::npos) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  }
}

TEST_F(LoginTest, WhoCannotBeReachedLeavesNoToken) {
  const Outcome outcome = run({"login", "--url", "http://127.0.0.1:9/mcp"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("127.0.0.1:9"), std::string::npos) << outcome.err;
  EXPECT_EQ(run({"tokens"}).out, "No server is signed in to.\n");
  EXPECT_EQ(run({"logout", "--url", "http://127.0.0.1:9/mcp"}).code, 0);
  EXPECT_FALSE(fs::exists(folder_ / "state/plumbline/secrets"));
}

TEST_F(LoginTest, AllTokensAreForgottenEvenWhereNobodyCanReadThem) {
  EXPECT_EQ(run({"logout", "--all"}).out, "No server is signed in to.\n");
  fs::create_directories(folder_ / "state/plumbline");
  write("state/plumbline/secrets", "damaged");
  fs::permissions(folder_ / "state/plumbline/secrets", fs::perms(0600));
  EXPECT_EQ(run({"tokens"}).code, 3);
  const Outcome outcome = run({"logout", "--all"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("the file is deleted"), std::string::npos) << outcome.err;
  EXPECT_EQ(run({"tokens"}).out, "No server is signed in to.\n");
}

TEST_F(LoginTest, ASecretWithoutItsIssuerIsRefusedBeforeAnybodyIsAsked) {
  const Outcome outcome = run({"login", "--url", "http://127.0.0.1:9/mcp", "--client-id", "c"},
                              {{"PLUMBLINE_CLIENT_SECRET", "planted-4711"}});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err,
            "plumbline: the client secret is sent only to the authorization server that it is for: "
            "name that one with --issuer URL, or \"issuer\" in the configuration "
            "[auth.secret-of-whom]\n");
}

TEST_F(LoginTest, NoWeakerKeyTakesThePlaceOfTheOneThatIsAskedFor) {
  const std::vector<std::string> words = {"login", "--url", "http://127.0.0.1:9/mcp"};
  const Outcome missing = run(words, {{"PLUMBLINE_KEY_FILE", path("missing.key")}});
  EXPECT_EQ(missing.code, 2);
  EXPECT_NE(missing.err.find("PLUMBLINE_KEY_FILE: cannot read"), std::string::npos) << missing.err;
  write("open.key", std::string(40, 'k'));
  fs::permissions(folder_ / "open.key", fs::perms(0644));
  const Outcome open = run(words, {{"PLUMBLINE_KEY_FILE", path("open.key")}});
  EXPECT_EQ(open.code, 2);
  EXPECT_NE(open.err.find("0600"), std::string::npos) << open.err;
  EXPECT_FALSE(fs::exists(folder_ / "state/plumbline/secrets.key"));
}

}  // namespace
}  // namespace plumbline::cli
