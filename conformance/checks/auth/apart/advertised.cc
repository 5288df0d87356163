// What an authorization server leads people and clients to: the response modes and the refresh
// tokens that its metadata promise, a word to who cannot be sent back, addresses that can be
// reached. RFC 8414, section 2; RFC 6749, sections 4.1.2.1 and 6.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/auth/check.h"
#include "conformance/checks/auth/probe.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

bool lists(const AuthProbe& probe, std::string_view member, std::string_view value) {
  const Json* const list = find(probe.authority().document(), member);
  return list != nullptr && list->is_array() &&
         std::ranges::find(*list, Json(std::string(value))) != list->end();
}

Task<Finding> takes_listed_modes(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  // Who lists none has query and fragment: RFC 8414, section 2.
  const bool says = find(probe.authority().document(), "response_modes_supported") != nullptr;
  if (says && !lists(probe, "response_modes_supported", "query")) {
    co_return not_for_it("its metadata lists no response mode \"query\"");
  }
  const wire::Form right = probe.usual_request();
  const Reply usual = co_await probe.authorize(right);
  const std::optional<Finding> refused = refuses_usual(usual);
  if (refused) co_return *refused;
  wire::Form form = changed(right, "response_mode", "query");
  const Reply reply = co_await probe.authorize(std::move(form));
  if (reply.status == 0 || reply.status == 429) co_return undecided("got " + reply.describe());
  if (goes_on(reply, usual)) co_return passes();
  const std::string error = answered_fields(reply).get("error").value_or(error_of(reply));
  co_return broken(
      std::string(says ? "its response_modes_supported list query"
                       : "its metadata has no response_modes_supported, which stands for query "
                         "and fragment") +
      ", and a request with response_mode=query is refused (status " +
      std::to_string(reply.status) + (error.empty() ? "" : ", " + clipped(error)) +
      "): one without it is taken");
}

// RFC 6749, section 1.5: a refresh token is given at the discretion of the server.
Task<Finding> gives_refresh_tokens(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  if (!lists(probe, "grant_types_supported", "refresh_token")) {
    co_return not_for_it("its metadata does not list the grant refresh_token");
  }
  const Json tokens = co_await probe.new_tokens();
  if (!tokens.is_object()) co_return not_for_it(probe.lacks_code());
  if (!string_or(tokens, "refresh_token", "").empty()) co_return passes();
  const bool asks = lists(probe, "scopes_supported", "offline_access");
  if (asks) {
    wire::Form form = changed(probe.usual_request(), "scope", "offline_access");
    const Reply granted = co_await probe.ask_for_code(std::move(form));
    const std::string code = answered_fields(granted).get("code").value_or("");
    if (code.empty()) co_return not_for_it("it gives no code for offline_access alone");
    const Reply reply = co_await probe.redeem(code, AuthProbe::right_verifier());
    if (reply.status != 200) co_return not_for_it("a good code got " + refused_with(reply));
    const Json more = json_in(reply);
    if (!string_or(more, "refresh_token", "").empty()) co_return passes();
  }
  co_return risky(
      "its metadata lists the grant refresh_token, it registers a client for that, and the answer "
      "with a token has no refresh_token" +
      std::string(asks ? ", with the scope offline_access neither" : "") +
      ": users of clients such as Claude sign in again whenever the token ends");
}

Task<Finding> tells_who_cannot_be_sent_back(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  const wire::Form right = probe.usual_request();
  const std::string other = "http://localhost:33997/plumbline-not-registered";
  std::vector<std::pair<std::string, wire::Form>> requests;
  requests.emplace_back("a redirect_uri that was not registered",
                        changed(right, "redirect_uri", other));
  requests.emplace_back("a client_id that nobody knows",
                        changed(right, "client_id", "plumbline-unknown-client"));
  for (const auto& [what, form] : requests) {
    const Reply reply = co_await probe.authorize(form);
    if (reply.status == 0) co_return undecided("got " + reply.describe());
    if (reply.status < 500 || reply.status == 503) continue;
    co_return broken("a request with " + what + " got status " + std::to_string(reply.status) +
                     ", as if the server had failed, expected a page of status 400 that says what "
                     "is wrong: the user is told nothing that helps");
  }
  co_return passes();
}

// is_inner returns whether only a network of its own knows a host by that name.
bool is_inner(std::string_view host) {
  for (const std::string_view end : {".internal", ".local", ".svc", ".lan", ".intranet"}) {
    if (host.ends_with(end)) return true;
  }
  const bool named = host != "localhost" && host.find(':') == std::string_view::npos;
  return named && host.find('.') == std::string_view::npos;
}

Task<Finding> stays_in_reach(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  const std::string endpoint = probe.authority().member("authorization_endpoint");
  const Result<wire::Url> own = wire::parse_url(endpoint);
  if (!own.ok()) co_return not_for_it("its authorization_endpoint is no address");
  wire::Form form = probe.usual_request();
  const Reply reply = co_await probe.authorize(std::move(form));
  if (reply.status == 0) co_return undecided("got " + reply.describe());
  const Result<wire::Url> there = wire::parse_url(location_of(reply));
  const bool elsewhere = there.ok() && there.value().host != own.value().host;
  if (!elsewhere || !is_inner(there.value().host) || is_inner(own.value().host)) {
    co_return passes();
  }
  co_return risky("a good request sends the browser on to " + there.value().origin() +
                  ", a host that only its own network knows: nobody outside can sign in. Build the "
                  "address of what the proxy says, or send the path alone");
}

constexpr AuthCheck kAdvertisedChecks[] = {
    {"auth.as-response-modes-as-listed", takes_listed_modes},
    {"auth.as-refresh-tokens-given", gives_refresh_tokens},
    {"auth.as-tells-the-user", tells_who_cannot_be_sent_back},
    {"auth.as-stays-in-reach", stays_in_reach},
};

}  // namespace

AuthChecks advertised_checks() { return kAdvertisedChecks; }

}  // namespace plumbline::conformance
