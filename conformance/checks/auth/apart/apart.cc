// What an authorization server keeps apart when it is asked at once, or for another time: codes and
// refresh tokens that are used twice in one moment, redirects, scopes, and clients of one name.

#include <string>
#include <utility>

#include "conformance/checks/auth/check.h"
#include "conformance/checks/auth/probe.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr int kMoments = 2;  // What two requests at a time come to is a matter of luck.

bool both_given(const std::pair<Reply, Reply>& replies) {
  return replies.first.status == 200 && replies.second.status == 200;
}

Task<Finding> takes_a_code_once(AuthProbe& probe) {
  for (int times = 1; times <= kMoments; ++times) {
    std::string code = co_await probe.good_code();
    if (code.empty()) co_return not_for_it(probe.lacks_code());
    wire::Form form = probe.redeeming(std::move(code), AuthProbe::right_verifier());
    const std::string endpoint = probe.authority().member("token_endpoint");
    const auto replies = co_await probe.post_twice(endpoint, form);
    if (!both_given(replies)) continue;
    const Reply later = co_await probe.post(endpoint, std::move(form));
    if (later.status == 200) co_return not_for_it("it takes a code at any time: auth.as-oauth21");
    co_return about(broken("a code that came in two requests at once was redeemed twice"),
                    replies.second);
  }
  co_return passes();
}

Task<Finding> takes_a_refresh_token_once(AuthProbe& probe) {
  for (int times = 1; times <= kMoments; ++times) {
    const Json tokens = co_await probe.renewed_tokens();
    if (!tokens.is_object()) co_return not_for_it(probe.lacks_refresh());
    const std::string token = string_or(tokens, "refresh_token", "");
    wire::Form form = probe.refreshing(token);
    const std::string endpoint = probe.authority().member("token_endpoint");
    const auto replies = co_await probe.post_twice(endpoint, form);
    if (!both_given(replies)) continue;
    const Reply later = co_await probe.post(endpoint, std::move(form));
    if (later.status == 200) {
      co_return not_for_it("it takes a refresh token at any time: auth.refresh-rotation");
    }
    co_return about(
        broken("a refresh token that came in two requests at once was taken twice: whoever stole "
               "it has a line of tokens of his own"),
        replies.second);
  }
  co_return passes();
}

Task<Finding> wants_the_same_redirect(AuthProbe& probe) {
  std::string code = co_await probe.good_code();
  if (code.empty()) co_return not_for_it(probe.lacks_code());
  const wire::Form right = probe.redeeming(std::move(code), AuthProbe::right_verifier());
  const std::string other = "https://plumbline.example/elsewhere";
  wire::Form form = changed(right, "redirect_uri", other);
  std::string endpoint = probe.authority().member("token_endpoint");
  const Reply reply = co_await probe.post(std::move(endpoint), std::move(form));
  if (reply.status != 200) {
    const std::string flaw = co_await named_grant_flaw(probe, reply, true);
    co_return flaw.empty() ? passes()
                           : broken("a code that came with another redirect_uri " + flaw);
  }
  co_return about(broken("a code that was asked for with the redirect_uri \"" +
                         clipped(probe.client().redirect_uri) +
                         "\" was redeemed with the "
                         "redirect_uri \"" +
                         other + "\""),
                  reply);
}

// scope_beyond returns a scope that was not given, best one that the metadata lists.
std::string scope_beyond(const Json& metadata, const std::string& given) {
  const Json* const listed = find(metadata, "scopes_supported");
  const std::string all = " " + given + " ";
  if (listed != nullptr && listed->is_array()) {
    for (const Json& one : *listed) {
      if (!one.is_string()) continue;
      const std::string& scope = one.get_ref<const std::string&>();
      if (all.find(" " + scope + " ") == std::string::npos) return scope;
    }
  }
  return "plumbline.more";
}

Task<Finding> widens_no_scope(AuthProbe& probe) {
  const Json tokens = co_await probe.renewed_tokens();
  if (!tokens.is_object()) co_return not_for_it(probe.lacks_refresh());
  const std::string token = string_or(tokens, "refresh_token", "");
  const std::string given = string_or(tokens, "scope", "");
  if (given.empty()) co_return not_for_it("its answer with a token does not say the scope");
  const std::string more = scope_beyond(probe.authority().document(), given);
  wire::Form form = changed(probe.refreshing(token), "scope", given + " " + more);
  std::string endpoint = probe.authority().member("token_endpoint");
  const Reply reply = co_await probe.post(std::move(endpoint), std::move(form));
  if (reply.status != 200) {
    if (is_busy(reply) || error_of(reply) == "invalid_scope") co_return passes();
    co_return risky("a refresh for a scope that was not granted got " + refused_with(reply) +
                    ", expected \"invalid_scope\" (RFC 6749, section 5.2)");
  }
  const std::string now = " " + string_or(json_in(reply), "scope", "") + " ";
  if (now.find(" " + more + " ") == std::string::npos) co_return passes();
  co_return about(broken("a refresh token that was given with the scope \"" + clipped(given) +
                         "\" brought a token with the scope \"" + clipped(now.substr(1)) +
                         "\", to which nobody has consented"),
                  reply);
}

// as_two registers two clients of one name, and asks as the first with its own redirect.
Task<Finding> as_two(AuthProbe& probe, Json first, Json second) {
  const std::string id = string_or(first, "client_id", "");
  if (id.empty() || string_or(second, "client_id", "") != id) co_return passes();
  wire::Form form = changed(probe.usual_request(), "client_id", id);
  const Reply reply = co_await probe.authorize(std::move(form));
  const std::string same =
      "two registrations of the same client_name with other redirect_uris "
      "were given the client_id " +
      clipped(id);
  if (reply.status < 400 && reply.status != 0) co_return broken(same);
  co_return about(broken(same + ", and the redirect_uri of the first is refused since (status " +
                         std::to_string(reply.status) +
                         "): whoever registers the name of a client "
                         "takes its place"),
                  reply);
}

Task<Finding> keeps_registrations_apart(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  const std::string endpoint = probe.authority().member("registration_endpoint");
  if (endpoint.empty()) co_return not_for_it("its metadata names no registration_endpoint");
  Json mine = client_metadata(probe.client().redirect_uri);
  mine["client_name"] = "Plumbline twice";
  Json theirs = client_metadata("http://127.0.0.1:33998/elsewhere");
  theirs["client_name"] = "Plumbline twice";
  const Reply one = co_await probe.register_at(endpoint, std::move(mine));
  const Reply other = co_await probe.register_at(endpoint, std::move(theirs));
  Finding finding = not_for_it("it registers no two clients");
  if (one.status / 100 == 2 && other.status / 100 == 2) {
    finding = co_await as_two(probe, json_in(one), json_in(other));
  }
  co_await probe.take_back(json_in(one));
  co_await probe.take_back(json_in(other));
  co_return std::move(finding);
}

constexpr AuthCheck kAuthApartChecks[] = {
    {"auth.as-code-used-once", takes_a_code_once},
    {"auth.as-refresh-used-once", takes_a_refresh_token_once},
    {"auth.as-code-bound-to-redirect", wants_the_same_redirect},
    {"auth.as-refresh-scope", widens_no_scope},
    {"auth.as-registrations-apart", keeps_registrations_apart},
};

}  // namespace

AuthChecks apart_checks_of_authorities() { return kAuthApartChecks; }

}  // namespace plumbline::conformance
