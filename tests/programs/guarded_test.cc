// Our own server behind its door, and `check server` as the user, as another one, and with tokens
// that are for somebody else.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/auth/crypto/test_keys_fixture.h"
#include "core/json/json.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

constexpr const char* kIssuer = "https://as.example";

class GuardedTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("jwks.json", dump_json(auth::key_set()));
  }

  // serve starts the reference server; `more` are further parts of --auth.
  RunningServer serve(const std::string& way, const std::string& more = "") {
    return RunningServer({"--reference", way, "127.0.0.1:0", "--auth",
                          "jwks=jwks.json,issuer=" + std::string(kIssuer) + ",scope=use" + more},
                         folder_.string());
  }

  // shown is the header of a token of `subject` for `audience`.
  static std::string shown(const std::string& subject, const std::string& audience,
                           const std::string& scope = "use") {
    const Json claims = {{"iss", kIssuer},
                         {"aud", audience},
                         {"sub", subject},
                         {"scope", scope},
                         {"exp", std::int64_t{4'000'000'000}}};
    return "Authorization: Bearer " + auth::signing_key("ES256").sign(claims);
  }

  // judge returns the verdicts by rule, "fail" before all others of the same rule.
  std::map<std::string, std::string> judge(std::vector<std::string> words, int code) {
    words.insert(words.begin(), {"check", "server", "--report", "json=report.json"});
    const Outcome judged = run(std::move(words));
    EXPECT_EQ(judged.code, code) << judged.out << judged.err;
    std::map<std::string, std::string> verdicts;
    const Result<Json> report = parse_json(read("report.json"));
    if (!report.ok()) return verdicts;
    for (const Json& row : report.value()["results"]) {
      const std::string id = string_or(row, "id", "");
      const std::string verdict = string_or(row, "verdict", "");
      if (verdict == "skip") skipped_[id] = string_or(row, "message", "");
      std::string& worst = verdicts[id];
      if (worst.empty() || worst == "skip" || (verdict != "pass" && verdict != "skip")) {
        worst = verdict;
      }
    }
    return verdicts;
  }

  std::map<std::string, std::string> skipped_;  // Why, by rule.
};

// Goal: what one user makes is no other's. Method: the whole judge, with a token of each.
TEST_F(GuardedTest, NothingOfOneUserIsThereForAnother) {
  RunningServer server = serve("--http");
  const auto verdicts = judge({"--url", server.url(), "--header", shown("ada", server.url()),
                               "--second-header", shown("bob", server.url()), "--foreign-header",
                               shown("ada", "https://other.example/mcp"), "--allow-writes"},
                              0);
  for (const auto& [id, verdict] : verdicts) {
    EXPECT_NE(verdict, "fail") << id;
    EXPECT_NE(verdict, "warn") << id;
  }
  for (const char* const id :
       {"security.session-bound-to-user", "tasks.bound-to-authorization",
        "tasks.list-own-context-only", "tasks.authorization-checked",
        "mrtr.request-state-bound-to-principal", "auth.audience-validated"}) {
    EXPECT_EQ(verdicts.count(id) == 0 ? "not judged" : verdicts.at(id), "pass")
        << id << ": " << skipped_[id];
  }
}

TEST_F(GuardedTest, OverHttpAndSseTheSameHolds) {
  RunningServer server = serve("--sse");
  const auto verdicts = judge({"--url", server.url(), "--header", shown("ada", server.url()),
                               "--second-header", shown("bob", server.url()), "--only",
                               "security.session-bound-to-user,tools.capability-declared"},
                              0);
  EXPECT_EQ(verdicts.at("tools.capability-declared"), "pass");
}

TEST_F(GuardedTest, WhoLacksTheScopeOfAMethodIsToldWhichAndNothingElseChanges) {
  RunningServer server = serve("--http", ",tools/call=call,tools/call:echo=echo");
  const std::string url = server.url();
  const auto verdicts =
      judge({"--url", url, "--header", shown("ada", url, "use call echo"), "--second-header",
             shown("bob", url, "other"), "--only",
             "auth.insufficient-scope-challenge,auth.insufficient-scope-lists-all,"
             "auth.insufficient-permission-403"},
            0);
  for (const auto& [id, verdict] : verdicts) EXPECT_EQ(verdict, "pass") << id;
  EXPECT_FALSE(verdicts.empty());
}

TEST_F(GuardedTest, WhatIsWrongWithTheDoorIsOneLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"jwks=a,introspection=https://as.example/i,issuer=b,client=c", "whose tokens"},
      {"introspection=https://as.example/i,issuer=b", "a client is who asks"},
      {"jwks=a,issuer=b,client=c", "a client is who asks"},
      {"introspection=http://as.example/i,issuer=b,client=c", "is not https"},
      {"introspection=https://as.example/i,issuer=b,client=c", "PLUMBLINE_CLIENT_SECRET"},
      {"jwks=a,issuer=b,tool/call=s", "nobody knows \"tool/call\""},
      {"jwks=a,issuer=b,tools/call=", "nothing is said of \"tools/call\""},
  };
  for (const auto& [text, told] : cases) {
    const Outcome outcome = run({"serve", "--reference", "--http", "127.0.0.1:0", "--auth", text});
    EXPECT_EQ(outcome.code, 2) << text;
    EXPECT_NE(outcome.err.find(told), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
}

}  // namespace
}  // namespace plumbline::cli
