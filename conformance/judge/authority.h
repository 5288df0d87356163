// AuthorityJudge runs the checks of an authorization server, and gives a row for each: in the
// newest revision that has the rule.

#pragma once

#include <string>
#include <vector>

#include "conformance/catalogue/selection.h"
#include "conformance/checks/auth/check.h"
#include "conformance/checks/auth/probe.h"
#include "conformance/judge/rows.h"

namespace plumbline::conformance {

// Consent is who says yes where an authorization server asks a person.
enum class Consent {
  kNobody,
  kAuto,  // The judge fills in the forms of its pages.
};

struct AuthorityJudgeOptions {
  // The address of its metadata, its issuer, or an MCP server that names it.
  std::string url;
  // A public client that is registered there; without an id the judge registers one.
  std::string client_id;
  std::string redirect_uri;
  Consent consent = Consent::kNobody;
  Selection selection;
  Duration patience = std::chrono::seconds(10);  // For each answer.
  Reproduce reproduce;
};

class AuthorityJudge {
 public:
  // Everything given must outlive the judge.
  AuthorityJudge(net::HttpClient& http, WireLog& log, AuthorityJudgeOptions options);

  // judge returns within bounded time. It may be dropped at any time; results() then has what is
  // done. What it has registered it takes back, where the server lets it.
  Task<void> judge();

  const std::vector<CheckResult>& results() const { return results_; }

  // issuer returns under which name the server was judged; empty: none was found.
  const std::string& issuer() const { return authority_.issuer; }

  // given returns the tokens and codes that the server has given: no report may show them.
  const std::vector<std::string>& given() const { return given_; }

  // unreachable says why no check could run; empty when some did.
  const std::string& unreachable() const { return unreachable_; }

 private:
  Task<void> find_issuer(AuthProbe& probe);
  Task<void> find_documents(AuthProbe& probe);
  Task<void> become_client(AuthProbe& probe);
  Task<Reply> register_with(AuthProbe& probe, std::string uri, std::string scope);
  Task<void> judge_all();
  Task<void> leave(AuthProbe& probe);

  net::HttpClient& http_;
  WireLog& log_;
  AuthorityJudgeOptions options_;
  Authority authority_;
  AuthClient client_;
  Json registration_;  // What the server said of our client; null: nothing.
  std::vector<CheckResult> results_;
  std::vector<std::string> given_;
  std::string unreachable_;
};

}  // namespace plumbline::conformance
