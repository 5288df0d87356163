// ProtectedResource is a server that takes only tokens of its AuthorizationServer, and says so as
// RFC 9728 and RFC 6750 have it. It stands before a server that serves the rest, or alone.

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "core/net/http_gate.h"
#include "fakes/auth/authorization_server.h"

namespace plumbline::fakes {

struct ProtectionScript {
  bool sends_challenge = true;                // With 401 and 403.
  bool has_metadata = true;                   // At the well-known address with the path.
  bool refuses_all = false;                   // Whatever token is shown.
  std::string scope;                          // That is needed beside a good token.
  std::map<std::string, std::string> scopes;  // Of tools: one more that a call needs, by name.
  Json metadata = Json::object();             // Members put into the metadata.
};

class ProtectedResource final : public net::HttpGate {
 public:
  // `url` is its address, with a path. `issuer` is who `tokens` is, which must outlive it.
  ProtectedResource(std::string url, std::string issuer, AuthorizationServer& tokens,
                    ProtectionScript script = {});

  ProtectionScript& script() { return script_; }

  // on_shown names who is told of every token that was shown, and whether it was good (else 401).
  void on_shown(std::function<void(const std::string& token, bool good)> told) {
    on_shown_ = std::move(told);
  }

  // What came: requests for the resource, by what they were answered, and every Authorization.
  std::size_t taken() const { return taken_; }
  std::size_t refused() const { return refused_; }
  const std::vector<std::string>& shown() const { return shown_; }

  // implements HttpGate ---
  void guard(const std::string& url, net::HttpHandler& inside) override;

  // implements HttpHandler ---
  //
  // Whoever may come in reaches what is inside, or is answered with {"path": TARGET}.
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;

 private:
  wire::HttpResponse refusal(int status, const std::string& parameters) const;
  std::string scope_for(const wire::HttpRequest& request) const;

  std::string url_;
  std::string origin_;
  std::string path_;
  std::string issuer_;
  AuthorizationServer& tokens_;
  ProtectionScript script_;
  std::function<void(const std::string& token, bool good)> on_shown_;
  net::HttpHandler* inside_ = nullptr;
  std::size_t taken_ = 0;
  std::size_t refused_ = 0;
  std::vector<std::string> shown_;
};

}  // namespace plumbline::fakes
