// The way that every client goes, from its registration to a token and the next one: each step of
// it leads on. The other rules look at what lies beside it, and say nothing where it leads nowhere.
// RFC 7591, section 3.2; RFC 6749, sections 4.1.2, 4.1.4 and 6.

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/auth/check.h"
#include "conformance/checks/auth/probe.h"
#include "core/base/base64.h"
#include "core/base/percent.h"
#include "core/base/sha256.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kVerifierMax = 128;
constexpr int kCodesLookedAt = 4;  // Codes of Base64 have a "+" in one of two.
constexpr const char* kNobodySignsIn = ": nobody can sign in";

// all_scopes returns what the metadata lists, as a request names them; empty: nothing.
std::string all_scopes(const AuthProbe& probe) {
  const Json* const scopes = find(probe.authority().document(), "scopes_supported");
  std::string all;
  if (scopes == nullptr || !scopes->is_array()) return all;
  for (const Json& scope : *scopes) {
    if (scope.is_string()) all += (all.empty() ? "" : " ") + scope.get<std::string>();
  }
  return all;
}

// usual_clients returns the registrations of which a server takes one: of a program at a loopback
// address, of one with scopes, and of one on the web.
std::vector<Json> usual_clients(const AuthProbe& probe) {
  std::vector<Json> clients = {usual_registration(probe)};
  const std::string scopes = all_scopes(probe);
  if (!scopes.empty()) {
    clients.push_back(clients.front());
    clients.back()["scope"] = scopes;
  }
  clients.push_back(client_metadata("https://plumbline.example/callback"));
  clients.back()["application_type"] = "web";
  return clients;
}

Task<Finding> registers_somebody(AuthProbe& probe) {
  if (probe.authority().member("registration_endpoint").empty()) {
    co_return not_for_it("its metadata names no registration_endpoint");
  }
  if (probe.client().is_ours) co_return passes();
  Reply reply;
  std::vector<Json> clients = usual_clients(probe);
  for (Json& about : clients) {
    reply = co_await probe.register_client(std::move(about));
    const bool good = reply.status == 200 || reply.status == 201;
    if (good && !string_or(json_in(reply), "client_id", "").empty()) co_return passes();
    if (is_busy(reply)) co_return undecided("its registration endpoint gave " + reply.describe());
  }
  // RFC 7591, section 3: who registers may have to show a token.
  if (reply.status == 401 || reply.status == 403) {
    co_return not_for_it("it registers those alone who have been let in: status " +
                         std::to_string(reply.status));
  }
  const std::string said =
      "its metadata names a registration_endpoint, which registers no client, neither one at a "
      "loopback address nor one on the web: the last got " +
      refused_with(reply);
  co_return reply.status == 400 ? risky(said) : broken(said);
}

// is_of_the_user returns whether an error is about who sits before the browser, or about what is
// asked for, and not about the request.
bool is_of_the_user(const std::string& error) {
  constexpr std::string_view kErrors[] = {"login_required",
                                          "consent_required",
                                          "interaction_required",
                                          "account_selection_required",
                                          "access_denied",
                                          "temporarily_unavailable",
                                          "invalid_scope",
                                          "invalid_target",
                                          "unmet_authentication_requirements"};
  return std::ranges::find(kErrors, error) != std::end(kErrors);
}

// good_refused_by says how a good request is refused; empty: it is not, or by the user.
std::string good_refused_by(const Reply& reply) {
  if (reply.status >= 400) return refused_with(reply);
  const std::string error = answered_fields(reply).get("error").value_or("");
  if (error.empty() || is_of_the_user(error)) return {};
  return "the error \"" + clipped(error) + "\"";
}

// wants_a_resource returns whether a refusal speaks of the parameter that the judge cannot fill in.
bool wants_a_resource(const Reply& reply) {
  const std::string why = answered_fields(reply).get("error_description").value_or("") +
                          string_or(json_in(reply), "error_description", "");
  return lower_case(why).find("resource") != std::string::npos;
}

// end_of_consent judges where somebody ends who signs in and says yes.
Task<Finding> end_of_consent(AuthProbe* probe, wire::Form form) {
  const Reply end = co_await probe->ask_for_code(std::move(form));
  const bool fails = end.status >= 500 && !is_busy(end);
  const bool sent = is_sent_to(end, probe->client().redirect_uri);
  const std::string refusal = fails || sent ? good_refused_by(end) : std::string();
  if (refusal.empty()) co_return passes();
  co_return broken("a good request of a registered client, to which its user has said yes, got " +
                   refusal + ", expected a code" + kNobodySignsIn);
}

// takes_its_resource judges whether it takes requests for the resource whose own metadata names it,
// as clients of MCP send them. RFC 8707, section 2: invalid_target is for others.
Task<Finding> takes_its_resource(AuthProbe* probe) {
  const Authority& authority = probe->authority();
  if (!authority.resource_is_own) co_return passes();
  const std::string named = "the metadata of the protected resource \"" +
                            clipped(authority.resource) + "\" names this server, and ";
  constexpr const char* kEnd = ": clients of MCP name it always, and cannot sign in";
  wire::Form form = changed(probe->usual_request(), "resource", authority.resource);
  const Reply asked = co_await probe->authorize(std::move(form));
  const std::string error = answered_fields(asked).get("error").value_or(error_of(asked));
  if (error == "invalid_target") {
    co_return broken(named + "a good request for that resource got the error \"invalid_target\", " +
                     "expected what it gets without resource" + kEnd);
  }
  const Reply redeemed = co_await redeemed_for(*probe, authority.resource);
  if (error_of(redeemed) != "invalid_target") co_return passes();
  co_return broken(named + "a good code for that resource got " + refused_with(redeemed) +
                   ", expected a token" + kEnd);
}

// goes_through judges what a good request leads to: by itself, and for the resource.
Task<Finding> goes_through(AuthProbe* probe, wire::Form form) {
  Finding end = co_await end_of_consent(probe, std::move(form));
  if (end.verdict != Verdict::kPass) co_return std::move(end);
  co_return co_await takes_its_resource(probe);
}

Task<Finding> takes_good_requests(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  std::vector<wire::Form> requests = {probe.usual_request()};
  const std::string scopes = all_scopes(probe);
  if (!scopes.empty()) requests.push_back(changed(requests.front(), "scope", scopes));
  const std::string& known = probe.authority().resource;
  requests.push_back(
      changed(requests.front(), "resource", known.empty() ? probe.authority().issuer : known));
  std::string refusal;
  for (wire::Form& form : requests) {
    const Reply reply = co_await probe.authorize(form);
    if (is_busy(reply)) co_return undecided("a good request got " + reply.describe());
    const std::string next = good_refused_by(reply);
    if (next.empty()) co_return co_await goes_through(&probe, std::move(form));
    if (wants_a_resource(reply)) co_return not_for_it("it wants a resource that it knows");
    if (refusal.empty()) refusal = next;
  }
  if (!probe.client().is_ours) {
    co_return not_for_it("it refuses the client that --client-id names: " + refusal);
  }
  co_return broken("a good request of the client that it has just registered got " + refusal +
                   ", expected a page to sign in, or a code" + kNobodySignsIn);
}

// Posting on a form hands what was typed there to whoever the redirect leads to.
Task<Finding> posts_no_form_on(AuthProbe& probe) {
  if ((co_await probe.new_code()).empty() && probe.walk().posted_on == 0) {
    co_return not_for_it(probe.lacks_code());
  }
  const int status = probe.walk().posted_on;
  if (status == 0) co_return passes();
  co_return broken("the form on its page is answered by a redirect of status " +
                   std::to_string(status) +
                   ", expected 303 or 302: browsers send what the user has typed there once more, "
                   "to the client, which does not read a POST");
}

// code_as_written returns the code in a redirect as it stands there.
std::string code_as_written(const Reply& reply) {
  const std::string place = location_of(reply);
  for (const char* const start : {"?code=", "&code=", "#code="}) {
    const std::size_t at = place.find(start);
    if (at == std::string::npos) continue;
    const std::size_t begin = at + std::string_view(start).size();
    return place.substr(begin, place.find_first_of("&#", begin) - begin);
  }
  return {};
}

// WrittenCode is a code: as a form is read, and as it was written.
struct WrittenCode {
  std::string code;
  std::string written;
};

Task<WrittenCode> granted_code(AuthProbe* probe) {
  wire::Form form = probe->usual_request();
  const Reply reply = co_await probe->ask_for_code(std::move(form));
  if (!is_sent_to(reply, probe->client().redirect_uri)) co_return WrittenCode();
  co_return WrittenCode{answered_fields(reply).get("code").value_or(""), code_as_written(reply)};
}

// taken_as_written says that a code which is refused as a form is read is good as it stands in the
// redirect; empty: it is not.
Task<std::string> taken_as_written(AuthProbe* probe, WrittenCode granted) {
  for (const std::string& other : {percent_decode(granted.written), granted.written}) {
    if (other == granted.code) continue;
    const Reply reply = co_await probe->redeem(other, AuthProbe::right_verifier());
    if (reply.status != 200) continue;
    const bool plus = granted.written.find('+') != std::string::npos;
    co_return "its code stands in the redirect with " +
        std::string(plus ? "a \"+\" that is not encoded, which is read as a blank"
                         : "escapes of its own, which are read as letters") +
        " (application/x-www-form-urlencoded; RFC 6749, section 4.1.2): as it is read it is "
        "refused, and as it is written it is taken" +
        kNobodySignsIn;
  }
  co_return std::string();
}

// looks_at_more looks whether one of the next codes has a "+" that is not encoded.
Task<Finding> looks_at_more(AuthProbe* probe) {
  for (int times = 0; times < kCodesLookedAt; ++times) {
    WrittenCode next = co_await granted_code(probe);
    if (next.written.find('+') == std::string::npos) continue;
    const Reply reply = co_await probe->redeem(next.code, AuthProbe::right_verifier());
    if (reply.status == 200 || is_busy(reply)) continue;
    const std::string wrong = co_await taken_as_written(probe, std::move(next));
    if (!wrong.empty()) co_return broken(wrong);
  }
  co_return passes();
}

// refuses_long_verifiers says that a code is refused for the length or the letters of its
// code_verifier; empty: it is not. RFC 7636, section 4.1: 43 to 128 of A-Z a-z 0-9 - . _ ~.
Task<std::string> refuses_long_verifiers(AuthProbe* probe) {
  std::string verifier;
  while (verifier.size() < kVerifierMax) verifier += "aB3-._~x";
  Sha256 sha;
  sha.update(verifier);
  wire::Form form =
      changed(probe->usual_request(), "code_challenge", encode_base64url(sha.finish()));
  const Reply granted = co_await probe->ask_for_code(std::move(form));
  std::string code = answered_fields(granted).get("code").value_or("");
  if (code.empty() || !is_sent_to(granted, probe->client().redirect_uri)) co_return std::string();
  const Reply reply = co_await probe->redeem(std::move(code), std::move(verifier));
  if (reply.status == 200 || is_busy(reply)) co_return std::string();
  co_return "a fresh code with its code_verifier of 128 letters, among them - . _ and ~, got " +
      refused_with(reply) +
      ", expected a token: one of 43 letters is taken (RFC 7636, section 4.1)";
}

// refuses_client returns whether a refusal is of a client that has to show what the judge does not.
bool refuses_client(const AuthProbe& probe, const Reply& reply) {
  const std::string error = error_of(reply);
  return !probe.client().shows_nothing() &&
         (error == "invalid_client" || error == "unauthorized_client" || reply.status == 401);
}

Task<Finding> redeems_good_codes(AuthProbe& probe) {
  const std::string lack = probe.lacks_tokens();
  if (!lack.empty()) co_return not_for_it(lack);
  WrittenCode granted = co_await granted_code(&probe);
  if (granted.code.empty()) co_return not_for_it(probe.lacks_code());
  const Reply reply = co_await probe.redeem(granted.code, AuthProbe::right_verifier());
  if (is_busy(reply)) co_return undecided("a good code got " + reply.describe());
  if (reply.status == 200) {
    const std::string flaw = co_await refuses_long_verifiers(&probe);
    if (!flaw.empty()) co_return broken(flaw);
    co_return co_await looks_at_more(&probe);
  }
  if (refuses_client(probe, reply)) {
    co_return not_for_it("its client has to show a secret, which the judge does not");
  }
  if (error_of(reply) == "invalid_target")
    co_return not_for_it("it wants a resource that it knows");
  const std::string wrong = co_await taken_as_written(&probe, std::move(granted));
  if (!wrong.empty()) co_return broken(wrong);
  // Clients of MCP name the resource always, and some servers refuse who does not.
  std::string resource = probe.authority().resource;
  const bool known = !resource.empty();
  if (!known) resource = probe.authority().issuer;
  const Reply named = co_await redeemed_for(probe, std::move(resource));
  if (named.status == 200) co_return passes();
  const std::string code = co_await probe.new_code();
  const Reply again = co_await probe.redeem(code, AuthProbe::right_verifier());
  const std::string got = "a fresh code with its code_verifier, client_id and redirect_uri got " +
                          refused_with(reply) + ", expected a token";
  if (again.status == 200) co_return risky(got + "; the next one was taken");
  const bool other = !known && error_of(reply) != "invalid_grant";
  co_return broken(got + kNobodySignsIn +
                   (other ? ". If it wants a resource: with --url of the MCP server the judge "
                            "names that"
                          : ""));
}

// takes_the_next refreshes with what came in the place of a refresh token: as it is, and with the
// scope that was granted, which asks for no more.
Task<Finding> takes_the_next(AuthProbe* probe, Json tokens, Json renewed) {
  std::string token = string_or(renewed, "refresh_token", string_or(tokens, "refresh_token", ""));
  const Reply next = co_await probe->refresh(std::move(token));
  if (is_busy(next)) co_return undecided("a second refresh got " + next.describe());
  if (next.status != 200) {
    co_return broken("a refresh token was taken, and the one that came in its place got " +
                     refused_with(next) + ", expected a token: users sign in again after two");
  }
  const std::string scope = string_or(renewed, "scope", string_or(tokens, "scope", ""));
  if (scope.empty()) co_return passes();
  const Json latest = json_in(next);
  token = string_or(latest, "refresh_token", string_or(renewed, "refresh_token", ""));
  if (token.empty()) token = string_or(tokens, "refresh_token", "");
  wire::Form form = changed(probe->refreshing(std::move(token)), "scope", scope);
  std::string endpoint = probe->authority().member("token_endpoint");
  const Reply same = co_await probe->post(std::move(endpoint), std::move(form));
  if (same.status == 200 || is_busy(same)) co_return passes();
  co_return broken("a refresh for the scope \"" + clipped(scope) + "\", which was granted, got " +
                   refused_with(same) + ", expected a token: without a scope it is taken");
}

Task<Finding> takes_good_refresh_tokens(AuthProbe& probe) {
  Reply refused;
  for (int times = 0; times < 2; ++times) {
    const Json tokens = co_await probe.new_tokens();
    if (!tokens.is_object()) co_return not_for_it(probe.lacks_code());
    std::string token = string_or(tokens, "refresh_token", "");
    if (token.empty()) co_return not_for_it("it gives no refresh token");
    Reply reply = co_await probe.refresh(std::move(token));
    if (is_busy(reply)) co_return undecided("a good refresh token got " + reply.describe());
    if (refuses_client(probe, reply)) {
      co_return not_for_it("its client has to show a secret, which the judge does not");
    }
    if (error_of(reply) == "invalid_target") {
      co_return not_for_it("it wants a resource that it knows");
    }
    const bool good = reply.status == 200 && !string_or(json_in(reply), "access_token", "").empty();
    if (good && times == 0) {
      const Json renewed = json_in(reply);
      co_return co_await takes_the_next(&probe, tokens, renewed);
    }
    if (good) {
      co_return risky("a fresh refresh token got " + refused_with(refused) +
                      ", expected a token; the next one was taken");
    }
    refused = std::move(reply);
  }
  co_return broken("a fresh refresh token got " +
                   (refused.status == 200 ? std::string("status 200 and no access_token")
                                          : refused_with(refused)) +
                   ", expected a token: users sign in again whenever one ends");
}

constexpr AuthCheck kMainWayChecks[] = {
    {"auth.as-registers-clients", registers_somebody},
    {"auth.as-good-request-taken", takes_good_requests},
    {"auth.as-form-not-posted-on", posts_no_form_on},
    {"auth.as-code-redeemed", redeems_good_codes},
    {"auth.as-refresh-redeemed", takes_good_refresh_tokens},
};

}  // namespace

AuthChecks main_way_checks() { return kMainWayChecks; }

}  // namespace plumbline::conformance
