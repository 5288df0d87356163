// What an authorization server has to get over: parameters that it does not know or that are empty,
// a request without a scope, a resource. RFC 6749, sections 3.1, 3.2 and 3.3; RFC 8707, section 2.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "conformance/checks/auth/check.h"
#include "conformance/checks/auth/probe.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kUnknownParameter = "plumbline_odd";

// refuses_asked returns whether an answer of the token endpoint refuses what was asked, and not for
// the haste of who asks.
bool refuses_asked(const Reply& reply) {
  const bool busy = reply.status == 0 || reply.status == 429 || reply.status == 503;
  return !busy && reply.status != 200;
}

// SentParameter is one that clients send, and that does not change whether they may sign in.
struct SentParameter {
  const char* name;
  const char* value;
  bool may_refuse = false;  // Who knows it may have a reason.
};

constexpr SentParameter kSentParameters[] = {
    {"prompt", "consent"},      {"nonce", "plumbline-0123456789"},
    {"access_type", "offline"}, {"login_hint", "somebody@plumbline.example"},
    {"ui_locales", "en de"},    {"display", "page"},
    {"max_age", "3600", true},  {"audience", "https://plumbline.example/", true},
};

// refuses_sent returns whether `reply` refuses a request for what it has more than the usual one.
bool refuses_sent(const Reply& reply, const Reply& usual) {
  if (is_busy(reply)) return false;
  if (reply.status >= 400) return true;
  // Such as consent_required: where nobody is asked, nobody can say yes.
  const std::string error = answered_fields(reply).get("error").value_or("");
  if (error.ends_with("_required")) return false;
  // Who is asked now, and was not before, is not refused.
  const bool alike = location_of(reply).empty() == location_of(usual).empty();
  return !error.empty() || (alike && !goes_on(reply, usual));
}

Finding refused_sent(const SentParameter& sent, const Reply& reply) {
  const std::string error = answered_fields(reply).get("error").value_or(error_of(reply));
  const std::string said =
      "a request for authorization with " + std::string(sent.name) + "=" + sent.value +
      ", which clients send, is refused (status " + std::to_string(reply.status) +
      (error.empty() ? "" : ", " + clipped(error)) + "): one without it is taken";
  return sent.may_refuse ? risky(said) : broken(said);
}

// refuses_one_of tries each parameter by itself; nothing: all are taken.
Task<std::optional<Finding>> refuses_one_of(AuthProbe* probe, wire::Form right, Reply usual) {
  std::optional<Finding> found;
  for (const SentParameter& sent : kSentParameters) {
    wire::Form form = changed(right, sent.name, sent.value);
    const Reply reply = co_await probe->authorize(std::move(form));
    if (!refuses_sent(reply, usual)) continue;
    if (!found || !sent.may_refuse) found = refused_sent(sent, reply);
    if (!sent.may_refuse) co_return found;
  }
  co_return found;
}

// refuses_what_clients_send tries what is known elsewhere: all at once, and one by one where that
// is refused. Nothing: it is taken.
Task<std::optional<Finding>> refuses_what_clients_send(AuthProbe* probe, wire::Form right,
                                                       Reply usual) {
  // Some of them are of OpenID Connect, and want its scope where it is known.
  const Json* const scopes = find(probe->authority().document(), "scopes_supported");
  const bool listed = scopes != nullptr && scopes->is_array() &&
                      std::ranges::find(*scopes, Json("openid")) != scopes->end();
  if (listed) {
    wire::Form scoped = changed(right, "scope", "openid");
    const Reply reply = co_await probe->authorize(scoped);
    if (!refuses_sent(reply, usual)) right = std::move(scoped);
  }
  wire::Form all = right;
  for (const SentParameter& sent : kSentParameters) all = changed(all, sent.name, sent.value);
  const Reply together = co_await probe->authorize(std::move(all));
  std::optional<Finding> found;
  if (refuses_sent(together, usual)) found = co_await refuses_one_of(probe, right, usual);
  const SentParameter choice = {"prompt", "select_account", true};
  wire::Form form = changed(right, choice.name, choice.value);
  const Reply chosen = co_await probe->authorize(std::move(form));
  if (!found && refuses_sent(chosen, usual)) found = refused_sent(choice, chosen);
  co_return found;
}

// RFC 6749, sections 3.1 and 3.2: parameters that are not known are ignored.
Task<Finding> ignores_unknown_parameters(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  const wire::Form right = probe.usual_request();
  const Reply usual = co_await probe.authorize(right);
  const std::optional<Finding> refused = refuses_usual(usual);
  if (refused) co_return *refused;
  wire::Form form = changed(right, kUnknownParameter, "1");
  const Reply reply = co_await probe.authorize(std::move(form));
  if (reply.status == 0 || reply.status == 429) co_return undecided("got " + reply.describe());
  if (!goes_on(reply, usual)) {
    co_return broken("a request for authorization with the parameter " +
                     std::string(kUnknownParameter) + ", which nobody knows, is refused (status " +
                     std::to_string(reply.status) +
                     "): one without it is taken, and unknown parameters are to be ignored");
  }
  const std::optional<Finding> known = co_await refuses_what_clients_send(&probe, right, usual);
  if (known && known->verdict == Verdict::kFail) co_return *known;
  const std::string code = co_await probe.good_code();
  if (code.empty()) co_return known ? *known : passes();
  wire::Form redeeming =
      changed(probe.redeeming(code, AuthProbe::right_verifier()), kUnknownParameter, "1");
  std::string endpoint = probe.authority().member("token_endpoint");
  const Reply token = co_await probe.post(std::move(endpoint), std::move(redeeming));
  if (!refuses_asked(token)) co_return known ? *known : passes();
  co_return broken("a good code with the parameter " + std::string(kUnknownParameter) +
                   ", which nobody knows, got " + refused_with(token) +
                   ": unknown parameters are to be ignored");
}

// Not resource: RFC 8707 wants a URI there.
constexpr const char* kEmptyAsked[] = {"scope", "prompt", "nonce"};
constexpr const char* kEmptyShown[] = {"scope", "client_secret"};
constexpr const char* kAsIfLeftOut =
    ": parameters without a value are to be treated as if they were left out";

// refuses_empty_shown says which empty parameter a good code is refused for; empty: none.
Task<std::string> refuses_empty_shown(AuthProbe& probe) {
  std::string code = co_await probe.good_code();
  for (const char* const name : kEmptyShown) {
    if (code.empty()) code = co_await probe.new_code();
    if (code.empty()) co_return std::string();
    wire::Form form = changed(probe.redeeming(code, AuthProbe::right_verifier()), name, "");
    code.clear();
    std::string endpoint = probe.authority().member("token_endpoint");
    const Reply token = co_await probe.post(std::move(endpoint), std::move(form));
    if (!refuses_asked(token)) continue;
    const std::string plain = co_await probe.new_code();
    const Reply usual = co_await probe.redeem(plain, AuthProbe::right_verifier());
    if (usual.status != 200) co_return std::string();
    co_return "a good code with " + std::string(name) + "= and nothing behind it got " +
        refused_with(token) + kAsIfLeftOut;
  }
  co_return std::string();
}

// RFC 6749, sections 3.1 and 3.2: parameters without a value are treated as if they were omitted.
Task<Finding> leaves_out_the_empty(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  const wire::Form right = probe.usual_request();
  const Reply usual = co_await probe.authorize(right);
  const std::optional<Finding> refused = refuses_usual(usual);
  if (refused) co_return *refused;
  for (const char* const name : kEmptyAsked) {
    wire::Form form = changed(right, name, "");
    const Reply reply = co_await probe.authorize(std::move(form));
    if (reply.status == 0 || reply.status == 429) co_return undecided("got " + reply.describe());
    if (goes_on(reply, usual)) continue;
    co_return broken("a request for authorization with " + std::string(name) +
                     "= and nothing behind it is refused (status " + std::to_string(reply.status) +
                     "), and without " + name + " it is taken" + kAsIfLeftOut);
  }
  const std::string flaw = co_await refuses_empty_shown(probe);
  co_return flaw.empty() ? passes() : broken(flaw);
}

// RFC 6749, section 3.3: without a scope, there is one by default, or the error invalid_scope.
Task<Finding> does_without_scope(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  wire::Form bare = probe.usual_request();
  const Reply reply = co_await probe.ask_for_code(std::move(bare));
  if (!is_sent_to(reply, probe.client().redirect_uri)) co_return not_for_it(probe.lacks_code());
  const wire::Form answer = answered_fields(reply);
  const std::string error = answer.get("error").value_or("");
  if (error.empty() || error == "invalid_scope") co_return passes();
  if (!probe.client().has_person) co_return not_for_it("nobody consents: --consent auto does");
  co_return broken(
      "a request without a scope, to which its user said yes, was answered by the "
      "error \"" +
      clipped(error) +
      "\", expected a scope by default or invalid_scope: clients that no challenge "
      "gives a scope, such as Claude Code, cannot sign in");
}

// refused_for_resource says how a request with a resource is refused that is taken without it.
// Empty: it is not. Of resources it may know which it likes, and say so by invalid_target.
Task<std::string> refused_for_resource(AuthProbe& probe, wire::Form form) {
  wire::Form with = changed(form, "resource", probe.authority().issuer + "/mcp");
  std::string endpoint = probe.authority().member("token_endpoint");
  const Reply reply = co_await probe.post(std::move(endpoint), std::move(with));
  const bool known = !refuses_asked(reply) || error_of(reply) == "invalid_target";
  co_return known ? std::string() : refused_with(reply);
}

constexpr const char* kAlwaysSent =
    ", expected a token, or invalid_target: clients of MCP name the resource always";

// refreshed_for refreshes a token that was given for one resource with another; without a status:
// no token was given.
Task<Reply> refreshed_for(AuthProbe* probe, std::string given, std::string asked) {
  const Reply redeemed = co_await redeemed_for(*probe, std::move(given));
  const Json tokens = redeemed.status == 200 ? json_in(redeemed) : Json();
  const std::string token = string_or(tokens, "refresh_token", "");
  Reply reply;
  if (token.empty()) co_return reply;
  wire::Form form = changed(probe->refreshing(token), "resource", std::move(asked));
  std::string endpoint = probe->authority().member("token_endpoint");
  reply = co_await probe->post(std::move(endpoint), std::move(form));
  co_return reply;
}

// refused_for_a_slash says that one address is taken for two, with the slash of an empty path and
// without it; empty: it is not. RFC 3986, section 6.2.3.
Task<std::string> refused_for_a_slash(AuthProbe* probe) {
  const Result<wire::Url> issuer = wire::parse_url(probe->authority().issuer);
  if (!issuer.ok()) co_return std::string();
  const std::string bare = issuer.value().origin();
  const std::string slashed = bare + "/";
  for (const auto& [given, asked] : {std::pair(slashed, bare), std::pair(bare, slashed)}) {
    const Reply other = co_await refreshed_for(probe, given, asked);
    if (!refuses_asked(other)) continue;
    const Reply same = co_await refreshed_for(probe, given, given);
    if (same.status != 200) continue;
    co_return "a refresh token that was given for the resource \"" + given + "\" got " +
        refused_with(other) + " for \"" + asked +
        "\", which is the same address: both are written, by one client at times";
  }
  co_return std::string();
}

Task<Finding> takes_resources(AuthProbe& probe) {
  const std::string code = co_await probe.good_code();
  if (code.empty()) co_return not_for_it(probe.lacks_code());
  wire::Form redeeming = probe.redeeming(code, AuthProbe::right_verifier());
  const std::string refused = co_await refused_for_resource(probe, std::move(redeeming));
  if (!refused.empty()) {
    co_return broken("a good code that came with a resource got " + refused + kAlwaysSent);
  }
  const Json tokens = co_await probe.renewed_tokens();
  if (!tokens.is_object()) co_return passes();
  wire::Form refreshing = probe.refreshing(string_or(tokens, "refresh_token", ""));
  const std::string again = co_await refused_for_resource(probe, std::move(refreshing));
  if (!again.empty()) {
    co_return broken("a good refresh token that came with a resource got " + again + kAlwaysSent);
  }
  const std::string slash = co_await refused_for_a_slash(&probe);
  co_return slash.empty() ? passes() : risky(slash);
}

constexpr AuthCheck kToleranceChecks[] = {
    {"auth.as-unknown-parameters", ignores_unknown_parameters},
    {"auth.as-empty-parameters", leaves_out_the_empty},
    {"auth.as-scope-optional", does_without_scope},
    {"auth.as-resource-taken", takes_resources},
};

}  // namespace

AuthChecks tolerance_checks() { return kToleranceChecks; }

}  // namespace plumbline::conformance
