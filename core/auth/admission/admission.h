// Admission lets in who shows a good access token of one issuer, for us.
//
// What it lets in carries the principal of the token in its reply. It serves the metadata that says
// whose tokens those are (RFC 9728), and refuses as RFC 6750 says. What any browser asks beforehand
// (OPTIONS) is let through.

#pragma once

#include <string>
#include <vector>

#include "core/auth/admission/method_scopes.h"
#include "core/auth/admission/token_judge.h"
#include "core/base/task.h"
#include "core/base/task_group.h"
#include "core/net/http_gate.h"

namespace plumbline::auth {

struct AdmissionOptions {
  std::string issuer;
  std::string audience;                // Empty: the URL at which we are reached.
  std::vector<std::string> scopes;     // That a token must have, all of them.
  std::vector<MethodScope> methods;    // That it must have for these, too.
  std::vector<std::string> proxies{};  // Addresses whose X-Forwarded-For is believed.
};

class Admission final : public net::HttpGate {
 public:
  // `judge` must outlive it.
  Admission(TokenJudge& judge, AdmissionOptions options);

  // implements HttpGate ---
  void guard(const std::string& url, net::HttpHandler& inside) override;

  // implements HttpHandler ---
  //
  // Without a good token, or with one that does not say whose it is: 401; with one that lacks a
  // scope: 403; where nobody can tell: 503, with why in one line; from a caller who shows too many
  // new ones at once: 429.
  // A token in a URL is none. Refusals name the scopes that the request needs, all of them.
  //
  // Spec 2025-11-25, basic/authorization, Token Handling and Scope Challenge Handling (MUST).
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;

 private:
  static Task<void> admit(Admission& self, wire::HttpRequest request, net::HttpReply reply);
  wire::HttpResponse refusal(int status, const std::string& error, const std::string& why,
                             const std::vector<std::string>& scopes) const;
  wire::HttpResponse metadata() const;

  TokenJudge& judge_;
  AdmissionOptions options_;
  std::string resource_;
  std::string metadata_url_;
  std::string metadata_path_;
  net::HttpHandler* inside_ = nullptr;
  TaskGroup work_;
};

}  // namespace plumbline::auth
