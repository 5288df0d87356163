// Each check of authorization servers bites: the right one passes them all, and each wrong one
// fails the check of its id, for the reason that the record names, and no unrelated one.

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "conformance/broken/kill_matrix_fixture.h"
#include "conformance/broken/right_authority.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/judge/authority.h"
#include "core/base/rng.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"

namespace plumbline::conformance {
namespace {

struct Judged {
  std::vector<CheckResult> rows;
  std::string unreachable;
  std::size_t clients_left = 0;
  std::vector<std::string> given = {};
};

Judged judged(const AuthorityDeviation& deviation, Consent consent = Consent::kNobody,
              bool by_document = false) {
  fakes::SimLoop loop;
  fakes::SimNetwork network(loop, {}, Rng(1));
  RightAuthority authority(loop, network, deviation);
  net::HttpClient http(loop, network);
  Redactor redactor;
  WireLog log(redactor, Instant{});
  AuthorityJudgeOptions options;
  options.url = authority.issuer();
  options.consent = consent;
  if (by_document) options.url += "/.well-known/openid-configuration";
  AuthorityJudge judge(http, log, std::move(options));
  Task<void> work = judge.judge();
  EXPECT_TRUE(loop.run_task(work, 1'000'000).ok());
  return {judge.results(), judge.unreachable(), authority.clients(), judge.given()};
}

bool is_bad(const CheckResult& row) {
  return row.verdict != Verdict::kPass && row.verdict != Verdict::kSkip;
}

TEST(RightAuthorityTest, PassesEverythingAndIsLeftAsItWas) {
  const AuthorityDeviation right;
  for (const bool by_document : {false, true}) {
    const Judged all = judged(right, Consent::kNobody, by_document);
    EXPECT_EQ(all.unreachable, "");
    EXPECT_EQ(all.clients_left, 0u);
    EXPECT_EQ(all.rows.size(), all_auth_checks().size());
    int passed = 0;
    for (const CheckResult& row : all.rows) {
      EXPECT_FALSE(is_bad(row)) << row.id << ": " << row.message;
      passed += row.verdict == Verdict::kPass ? 1 : 0;
    }
    EXPECT_EQ(passed, 58);  // Twenty-two more take a code, which needs a person here.
  }
}

TEST(RightAuthorityTest, PassesTheRulesOnCodesWhereItsPagesAreFilledIn) {
  const AuthorityDeviation right;
  const Judged all = judged(right, Consent::kAuto);
  EXPECT_EQ(all.clients_left, 0u);
  for (const CheckResult& row : all.rows) {
    EXPECT_EQ(row.verdict, Verdict::kPass) << row.id << ": " << row.message;
  }
}

TEST(RightAuthorityTest, PassesTheRulesOnCodesWhereItGivesThem) {
  AuthorityDeviation trusting;
  trusting.asks_nobody = true;
  const Judged all = judged(trusting);
  EXPECT_TRUE(std::ranges::any_of(
      all.given, [](const std::string& secret) { return secret.starts_with("refresh-"); }));
  for (const CheckResult& row : all.rows) {
    const bool asks = row.id == "auth.as-auto-redirect-only-trusted";
    EXPECT_EQ(row.verdict, asks ? Verdict::kWarn : Verdict::kPass) << row.id << row.message;
  }
}

// with_resource has the metadata of a protected resource that names the server.
template <bool kElsewhere>
std::optional<wire::HttpResponse> with_resource(const wire::HttpRequest& request) {
  const std::string issuer = "http://" + std::string(request.headers.get("Host").value_or(""));
  const std::string resource = kElsewhere ? "https://behind.example/mcp" : issuer + "/mcp";
  if (request.target.starts_with("/.well-known/oauth-protected-resource")) {
    return wire::HttpResponse{
        200,
        {{"Content-Type", "application/json"}},
        R"({"resource":")" + resource + R"(","authorization_servers":[")" + issuer + R"("]})"};
  }
  return std::nullopt;
}

// What refuses a resource is right where the metadata is of something else than what was asked for.
TEST(RightAuthorityTest, PassesForItsResourceAndMayNotKnowThoseOfOthers) {
  for (const auto& request : {with_resource<false>, with_resource<true>}) {
    AuthorityDeviation right;
    right.request = request;
    for (const CheckResult& row : judged(right, Consent::kAuto).rows) {
      EXPECT_FALSE(is_bad(row)) << row.id << ": " << row.message;
    }
  }
}

TEST(WrongAuthorityTest, FailsItsCheckAndNoUnrelatedOne) {
  std::vector<std::string> lines;
  std::set<std::string_view> caught;
  for (const AuthorityDeviation& deviation : all_authority_deviations()) {
    const Judged all = judged(deviation, Consent::kAuto);
    for (const CheckResult& row : all.rows) {
      const bool may = row.id == deviation.id ||
                       std::ranges::find(deviation.also, row.id) != deviation.also.end();
      EXPECT_TRUE(may || !is_bad(row)) << deviation.what << ": " << row.id << ": " << row.message;
      if (row.id == deviation.id && is_bad(row)) expect_reason(row, deviation.what);
    }
    expect_told_once(all.rows, deviation.what);
    const std::string verdict = verdict_in(all.rows, deviation.id);
    if (verdict == "fail" || verdict == "warn") caught.insert(deviation.id);
    lines.push_back(
        matrix_line(deviation.id, deviation.what, all.rows.front().revision, "http", verdict));
  }
  for (const AuthCheck& check : all_auth_checks()) {
    EXPECT_TRUE(caught.contains(check.id)) << check.id;
  }
  expect_in_docs("kill-matrix-authorization-servers.md",
                 "# The kill matrix of authorization servers\n\nEach line is an authorization "
                 "server that is right but for one thing. See "
                 "[the one of servers](kill-matrix.md).\n" +
                     section("Authorization servers", std::move(lines)));
}

// A refusal says nothing where what is right is refused as well.
TEST(WrongAuthorityTest, ThatRefusesWhatIsRightPassesNoRuleOnRefusals) {
  AuthorityDeviation refuses;
  refuses.request = [](const wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
    if (request.body.find("=authorization_code") == std::string::npos) return std::nullopt;
    return wire::HttpResponse{400, {}, R"({"error":"invalid_grant"})"};
  };
  const Judged no_code = judged(refuses, Consent::kAuto);
  for (const std::string_view id :
       {"auth.as-pkce-enforced", "auth.as-code-used-once", "auth.as-code-bound-to-client",
        "auth.as-code-bound-to-redirect", "auth.refresh-rotation", "auth.as-refresh-used-once",
        "auth.as-refresh-bound-to-client", "auth.as-revoked-is-refused", "auth.as-refresh-scope"}) {
    const auto row = std::ranges::find(no_code.rows, id, &CheckResult::id);
    ASSERT_NE(row, no_code.rows.end()) << id;
    EXPECT_EQ(row->verdict, Verdict::kSkip) << id;
    EXPECT_NE(row->message.find("a good code is refused: status 400"), std::string::npos)
        << id << ": " << row->message;
  }
  refuses.request = [](const wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
    if (request.body.find("=refresh_token") == std::string::npos) return std::nullopt;
    return wire::HttpResponse{400, {}, R"({"error":"invalid_grant"})"};
  };
  const Judged no_refresh = judged(refuses, Consent::kAuto);
  for (const std::string_view id : {"auth.as-refresh-used-once", "auth.as-refresh-bound-to-client",
                                    "auth.as-revoked-is-refused", "auth.as-refresh-scope"}) {
    EXPECT_EQ(verdict_in(no_refresh.rows, id), "skip") << id;
  }
  refuses.request = [](const wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
    const wire::Form form = wire::query_of(request.target);
    if (!request.target.starts_with("/authorize")) return std::nullopt;
    return wire::HttpResponse{
        302, {{"Location", form.get("redirect_uri").value_or("") + "?error=invalid_scope"}}, ""};
  };
  const Judged no_request = judged(refuses, Consent::kAuto);
  for (const std::string_view id :
       {"auth.as-exact-redirect-match", "auth.as-response-type-checked", "auth.as-pkce-required",
        "auth.as-pkce-method-known", "auth.as-unknown-resource"}) {
    EXPECT_EQ(verdict_in(no_request.rows, id), "skip") << id;
  }
}

TEST(WrongAuthorityTest, ThatIsNotThereIsNoVerdict) {
  fakes::SimLoop loop;
  fakes::SimNetwork network(loop, {}, Rng(1));
  net::HttpClient http(loop, network);
  Redactor redactor;
  WireLog log(redactor, Instant{});
  AuthorityJudgeOptions options;
  options.url = "http://127.0.0.1:9";
  AuthorityJudge judge(http, log, std::move(options));
  Task<void> work = judge.judge();
  EXPECT_TRUE(loop.run_task(work, 1'000'000).ok());
  EXPECT_TRUE(judge.results().empty());
  EXPECT_NE(judge.unreachable().find("127.0.0.1:9"), std::string::npos) << judge.unreachable();
}

TEST(AuthChecks, AreRulesOfTheCatalogueForAuthorizationServers) {
  for (const AuthCheck& check : all_auth_checks()) {
    const bool known = std::ranges::any_of(requirements(), [&](const Requirement& rule) {
      return rule.id == check.id && rule.role == "authorization-server";
    });
    EXPECT_TRUE(known) << check.id;
  }
}

}  // namespace
}  // namespace plumbline::conformance
