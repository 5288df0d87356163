// AuthorizationServer is an OAuth authorization server of a simulated world, which does as RFC 6749
// and its companions say, or goes wrong in the ways that it is told to.

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/loop.h"
#include "core/json/json.h"
#include "core/net/http_server.h"
#include "core/wire/form.h"

namespace plumbline::fakes {

// AuthorizationScript is what it does. As it stands it is right.
struct AuthorizationScript {
  Duration lifetime = std::chrono::hours(1);  // Of access tokens.
  bool gives_refresh_tokens = true;
  bool rotates = true;              // A refresh token is of one use; a second one ends its family.
  std::size_t loses_refreshes = 0;  // So many are done, and the connection ends without an answer.
  std::size_t refuses_refreshes = 0;          // So many get 503.
  std::optional<wire::HttpResponse> refusal;  // In place of any token.
  Json metadata = Json::object();             // Members put into the metadata, null takes one away.
  std::map<std::string, std::string> clients;  // Known from the beginning: their redirect URIs.
  std::string resource;                        // The only one that it gives tokens for; empty: any.
  std::string audience;  // What its tokens are good for, whatever was asked; empty: what was asked.
  std::optional<std::string> token_answer;  // In place of any at the token endpoint.
  std::optional<std::string> redirects_tokens_to;
};

// SecretKind is what a secret of an authorization server is good for.
enum class SecretKind { kAccess, kRefresh, kCode };

// Secret is one that it has given out. Every one holds kSecretMark.
struct Secret {
  SecretKind kind = SecretKind::kAccess;
  std::string text;
  std::string resource;  // That it was asked for.
  bool renewed = false;  // It came of a refresh token.
  Instant ends = kNever;
};

inline constexpr const char* kSecretMark = "-of-this-world-";

class AuthorizationServer final : public net::HttpHandler {
 public:
  using OnSecret = std::function<void(const Secret& secret)>;

  // `issuer` is its address without a path. `loop` must outlive it.
  AuthorizationServer(Loop& loop, std::string issuer, AuthorizationScript script = {});

  AuthorizationScript& script() { return script_; }

  // on_secret names who is told of every secret before it is given out.
  void on_secret(OnSecret told) { on_secret_ = std::move(told); }

  // What it was asked for.
  struct Asked {
    std::size_t documents = 0;
    std::size_t registrations = 0;
    std::size_t tokens = 0;     // Asked for, in whatever way.
    std::size_t codes = 0;      // Redeemed.
    std::size_t refreshes = 0;  // Of any kind of answer.
    std::size_t reuses = 0;     // Of refresh tokens that were used before.
    std::size_t revocations = 0;
  };
  const Asked& asked() const { return asked_; }

  // authorize is a person who consents at the URL: it returns where they are sent, empty when the
  // request is not as it should be.
  std::string authorize(const std::string& url);

  // accepts returns whether an access token is good now, for `resource` and with `scope`.
  bool accepts(const std::string& access_token, const std::string& resource,
               const std::string& scope) const;

  // Given is what somebody has got here before the world began.
  struct Given {
    std::string access_token;
    std::string refresh_token;
  };

  // give returns tokens for `resource` whose access token ends at `ends`. `client` is known from
  // then on, with `redirect_uri`.
  Given give(const std::string& client, const std::string& redirect_uri,
             const std::string& resource, const std::string& scope, Instant ends);

  // forget_clients has every registration forgotten; revoke_all ends every token, end_accesses
  // every access token.
  void forget_clients() { clients_.clear(); }
  void revoke_all();
  void end_accesses() { accesses_.clear(); }

  // implements HttpHandler ---
  //
  // Who comes to its authorization endpoint is sent back with a code; with "Person: denies" among
  // the headers, with the error access_denied.
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;

 private:
  struct Grant {
    std::string client;
    std::string redirect_uri;
    std::string challenge;
    std::string resource;
    std::string scope;
    std::size_t family = 0;
  };
  struct Access {
    Grant grant;
    std::string audience;  // The resource that it is good for.
    Instant ends;
  };

  Json metadata() const;
  Json registered(const std::string& body);
  wire::HttpResponse token(const wire::Form& form);
  wire::HttpResponse refreshed(const wire::Form& form);
  wire::HttpResponse tokens_for(const Grant& grant, bool renewed);
  wire::HttpResponse sent_back(const std::string& url, bool denies);
  std::string name(const char* kind);
  void tell(SecretKind kind, const std::string& text, const Grant& grant, bool renewed = false,
            Instant ends = kNever);

  Loop& loop_;
  std::string issuer_;
  AuthorizationScript script_;
  OnSecret on_secret_;
  Asked asked_;
  std::size_t names_ = 0;
  std::map<std::string, std::string> clients_;  // Their redirect URIs.
  std::map<std::string, Grant> codes_;
  std::map<std::string, Access> accesses_;
  std::map<std::string, Grant> refreshes_;
  std::set<std::string> used_;   // Refresh tokens.
  std::set<std::size_t> ended_;  // Families.
};

}  // namespace plumbline::fakes
