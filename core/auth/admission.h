// Admission lets in who shows a good access token: a JSON Web Token of one issuer, for us.
//
// It serves the metadata that says whose tokens those are (RFC 9728), and refuses as RFC 6750 says.
// What any browser asks beforehand (OPTIONS) is let through.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/auth/access_token.h"
#include "core/auth/key_source.h"
#include "core/base/doors/wall_clock.h"
#include "core/base/task.h"
#include "core/base/task_group.h"
#include "core/net/http_gate.h"

namespace plumbline::auth {

struct AdmissionOptions {
  std::string issuer;
  std::string audience;             // Empty: the URL at which we are reached.
  std::vector<std::string> scopes;  // That a token must have, all of them.
};

class Admission final : public net::HttpGate {
 public:
  // Both references must outlive it.
  Admission(KeySource& keys, const WallClock& clock, AdmissionOptions options);

  // implements HttpGate ---
  void guard(const std::string& url, net::HttpHandler& inside) override;

  // implements HttpHandler ---
  //
  // Without a good token: 401; with one that lacks a scope: 403; where the keys cannot be had: 503.
  // A token in a URL is none.
  //
  // Spec 2025-11-25, basic/authorization, Token Handling and Scope Challenge Handling (MUST).
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;

 private:
  static Task<void> admit(Admission& self, wire::HttpRequest request, net::HttpReply reply);
  Task<Result<AccessToken>> judge(std::string token);
  wire::HttpResponse refusal(int status, const std::string& error, const std::string& why) const;
  wire::HttpResponse metadata() const;

  KeySource& keys_;
  const WallClock& clock_;
  AdmissionOptions options_;
  std::string resource_;
  std::string metadata_url_;
  std::string metadata_path_;
  net::HttpHandler* inside_ = nullptr;
  TaskGroup work_;
};

}  // namespace plumbline::auth
