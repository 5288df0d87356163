// RightAuthority is an authorization server that does as the rules say, or goes wrong in one way.

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/loop.h"
#include "core/json/json.h"
#include "core/net/http_server.h"
#include "core/net/network.h"
#include "core/wire/form.h"

namespace plumbline::conformance {

struct AuthorityDeviation {
  std::string_view id;  // Of the check that catches it.
  std::string_view what;
  // request may answer by itself, response may change the answer to `request`.
  std::optional<wire::HttpResponse> (*request)(const wire::HttpRequest& request) = nullptr;
  void (*response)(const wire::HttpRequest& request, wire::HttpResponse& response) = nullptr;
  bool asks_nobody = false;         // It gives a code to whoever comes.
  bool takes_any_redirect = false;  // It sends people wherever a request says.
  bool takes_any_verifier = false;
  bool takes_codes_again = false;
  bool takes_refreshes_again = false;
  bool takes_codes_of_others = false;
  bool takes_refreshes_of_others = false;
  bool keeps_revoked = false;
  bool wants_one_port = false;        // Of a redirect URI at a loopback address.
  bool takes_doubled = false;         // Of two redirect URIs the first.
  bool takes_second_clients = false;  // Of two client ids the first.
  bool takes_any_resource = false;
  bool takes_any_response_type = false;
  bool wants_no_challenge = false;
  bool takes_any_method = false;  // Of a challenge.
  bool takes_any_registration = false;
  bool reads_no_authorization = false;  // The header of that name.
  bool forgets_codes_later = false;     // A moment after they were redeemed.
  bool forgets_refreshes_later = false;
  bool takes_other_redirects = false;  // At the token endpoint.
  bool widens_scopes = false;
  bool knows_clients_by_name = false;
  bool spares_successors = false;       // Of a refresh token that comes a second time.
  bool spares_replayed_codes = false;   // What came of a code that comes a second time.
  bool eats_refused_refreshes = false;  // A refused resource uses up the token.
  bool eats_foreign_refreshes = false;  // So does another client that shows it.
  bool trusts_bare_challenges = false;  // One without a method is taken, and never looked at again.
  bool takes_any_challenge = false;
  bool takes_the_challenge = false;  // As the verifier of itself.
  bool plain_if_bare = false;        // So where the challenge has no method, and there alone.
  bool bears_one_look = false;       // Who looks at a page without a cookie spoils it for all.
  const char* foreign_code_error = "invalid_grant";  // To who shows one of another client.
  const char* foreign_refresh_error = "invalid_grant";
  const char* used_code_error = "invalid_grant";
  const char* used_refresh_error = "invalid_grant";
  bool ends_after_one_refresh = false;        // What came of a refresh is taken no more.
  bool compares_resources_by_letter = false;  // At a refresh.
  bool prefers_localhost = false;             // Of two loopback addresses that were registered.
  std::vector<std::string_view> also = {};
};

// all_authority_deviations returns every one. They stand in pages.
std::span<const AuthorityDeviation> all_authority_deviations();
std::span<const AuthorityDeviation> authority_deviations();
std::span<const AuthorityDeviation> apart_authority_deviations();
std::span<const AuthorityDeviation> grant_authority_deviations();
std::span<const AuthorityDeviation> tolerance_authority_deviations();
std::span<const AuthorityDeviation> odd_request_deviations();
std::span<const AuthorityDeviation> main_way_deviations();
std::span<const AuthorityDeviation> named_error_deviations();
std::span<const AuthorityDeviation> status_deviations();
std::span<const AuthorityDeviation> sparse_authority_deviations();
std::span<const AuthorityDeviation> delivered_deviations();

class RightAuthority final : private net::HttpHandler {
 public:
  // Everything given must outlive it.
  RightAuthority(Loop& loop, net::Network& network, const AuthorityDeviation& deviation);

  const std::string& issuer() const { return issuer_; }
  std::size_t clients() const { return clients_.size(); }

 private:
  // implements HttpHandler ---
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;

  wire::HttpResponse answer(const wire::HttpRequest& request);
  Json metadata() const;
  bool is_registered(const std::string& client, const std::string& uri) const;
  wire::HttpResponse registered(const wire::HttpRequest& request);
  wire::HttpResponse authorized(const wire::Form& form);
  wire::HttpResponse login(const wire::HttpRequest& request);
  wire::HttpResponse granted(const wire::Form& form);
  wire::HttpResponse token(const wire::HttpRequest& request);
  std::string client_of(const wire::HttpRequest& request, const wire::Form& form) const;
  wire::HttpResponse revoked(const wire::Form& form);
  wire::HttpResponse redeemed(const std::string& client, const wire::Form& form);
  wire::HttpResponse renewed(const std::string& client, const wire::Form& form);
  wire::HttpResponse tokens(const std::string& client, const std::string& scope,
                            const std::string& family);
  void end_family(const std::string& family);
  void answer_late(const wire::HttpRequest& request, net::HttpReply reply);

  const AuthorityDeviation& deviation_;
  Loop& loop_;
  net::HttpServer server_;
  std::unique_ptr<net::Listener> listener_;
  std::string issuer_;
  int names_ = 0;
  std::map<std::string, std::vector<std::string>> clients_;  // Their redirect URIs.
  std::map<std::string, std::string> secrets_;               // Of those that have one.
  std::map<std::string, std::string> codes_;      // That were not redeemed: whose they are.
  std::map<std::string, std::string> redirects_;  // Of codes.
  std::map<std::string, std::string> resources_;  // Of codes that named one.
  std::map<std::string, std::string> names_of_;   // Clients, by client_name.
  std::map<std::string, std::string> refreshes_;  // That were not used: whose they are.
  std::set<std::string> successors_;              // Refresh tokens that came of one.
  std::map<std::string, std::string> families_;   // Of refresh tokens: the code that they came of.
  std::vector<std::unique_ptr<net::HttpReply>> late_;
  std::vector<std::unique_ptr<Alarm>> alarms_;
  std::map<std::string, wire::Form> asked_;  // What somebody is asked about, by the cookie.
};

}  // namespace plumbline::conformance
