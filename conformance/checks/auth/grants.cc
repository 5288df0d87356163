// What the token endpoint gives and refuses: OAuth 2.1, sections 3.2, 4.1.3 and 4.3; RFC 7636,
// section 4.6. What needs a code is judged where one is given without a person, or to one who says
// yes to everything.

#include <optional>
#include <string>
#include <utility>

#include "conformance/checks/auth/check.h"
#include "conformance/checks/auth/probe.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::int64_t kLongLived = 86'400;  // Seconds.
constexpr const char* kWrongVerifier = "wrong-0123456789-0123456789-0123456789-0123456789";

// refusal_flaw says what is wrong with a refusal of the token endpoint; empty: nothing.
std::string refusal_flaw(const Reply& reply) {
  const std::string got = "got status " + std::to_string(reply.status);
  if (reply.status != 400 && reply.status != 401) return got + ", expected 400 or 401";
  const std::string lack = error_lack(reply);
  return lack.empty() ? lack : got + " and " + lack;
}

// replay_flaw says what is wrong with how something that was used before is refused; empty:
// nothing.
std::string replay_flaw(const std::string& what, const Reply& again) {
  const std::string flaw = grant_error_flaw(again);
  return flaw.empty() ? flaw : "a " + what + " that was used before " + flaw;
}

// lives_on says that what came of the use before is still taken; empty: it is not.
Task<std::string> lives_on(AuthProbe& probe, std::string token) {
  if (token.empty()) co_return std::string();
  const Reply reply = co_await probe.refresh(std::move(token));
  co_return reply.status == 200 ? ": of the two who have shown it one has stolen it"
                                : std::string();
}

// judge_reuse redeems a code twice. RFC 6749, sections 4.1.2 and 5.2.
Task<Finding> judge_reuse(AuthProbe& probe) {
  const std::string code = co_await probe.new_code();
  if (code.empty()) co_return passes();
  const Reply first = co_await probe.redeem(code, AuthProbe::right_verifier());
  if (first.status != 200) co_return passes();
  const Reply second = co_await probe.redeem(code, AuthProbe::right_verifier());
  if (second.status == 200) co_return broken("a code was redeemed twice");
  const std::string flaw = replay_flaw("code", second);
  if (!flaw.empty()) co_return broken(flaw);
  const Json tokens = json_in(first);
  const std::string lives = co_await lives_on(probe, string_or(tokens, "refresh_token", ""));
  if (lives.empty()) co_return passes();
  co_return risky(
      "a code that came twice was refused, and the refresh token that it had been redeemed for is "
      "still taken" +
      lives);
}

Task<Finding> grants_as_oauth21(AuthProbe& probe) {
  const std::string endpoint = probe.authority().member("token_endpoint");
  if (endpoint.empty()) {
    co_return probe.authority().document().is_object()
        ? broken("its metadata has no token_endpoint")
        : not_for_it("it has no metadata");
  }
  const std::string client =
      probe.client().id.empty() ? "plumbline-unknown-client" : probe.client().id;
  wire::Form unknown = {{"grant_type", "plumbline"}, {"client_id", client}};
  const Reply refused = co_await probe.post(endpoint, std::move(unknown));
  if (refused.status == 0) co_return undecided("its token endpoint gave " + refused.describe());
  const std::string flaw = refusal_flaw(refused);
  if (!flaw.empty()) co_return broken("a grant_type that nobody knows " + flaw);
  wire::Form password = {{"grant_type", "password"},
                         {"client_id", client},
                         {"username", "plumbline"},
                         {"password", "plumbline"}};
  const Reply by_password = co_await probe.post(endpoint, std::move(password));
  if (by_password.status == 200) co_return broken("it gives a token for a password");
  if (!probe.client().id.empty()) {
    wire::Form implicit = changed(probe.usual_request(), "response_type", "token");
    const Reply reply = co_await probe.authorize(std::move(implicit));
    if (answered_fields(reply).count("access_token") > 0) {
      co_return broken("it sends a token to the browser (response_type=token)");
    }
  }
  Finding reuse = co_await judge_reuse(probe);
  co_return std::move(reuse);
}

// judge_plain: a challenge without a method is plain (RFC 7636, section 4.3), and is verified if it
// is taken.
Task<Finding> judge_plain(AuthProbe& probe) {
  wire::Form bare = without(probe.usual_request(), "code_challenge_method");
  const Reply asked = co_await probe.ask_for_code(std::move(bare));
  if (!is_sent_to(asked, probe.client().redirect_uri)) co_return passes();
  std::string code = answered_fields(asked).get("code").value_or("");
  if (code.empty()) co_return passes();
  const Reply wrong = co_await probe.redeem(std::move(code), kWrongVerifier);
  if (wrong.status != 200) co_return passes();
  co_return broken(
      "a request with code_challenge and without code_challenge_method, which stands for \"plain\" "
      "(RFC 7636, section 4.3), got a code that was redeemed with another code_verifier");
}

Task<Finding> wants_the_verifier(AuthProbe& probe) {
  const std::string first = co_await probe.good_code();
  if (first.empty()) co_return not_for_it(probe.lacks_code());
  const Reply wrong = co_await probe.redeem(first, kWrongVerifier);
  if (wrong.status == 200) co_return broken("a code was redeemed with another code_verifier");
  // RFC 7636, section 4.6, names the error; of none at all it speaks no word.
  const std::string flaw = co_await named_grant_flaw(probe, wrong, true);
  if (!flaw.empty()) co_return broken("a code with another code_verifier " + flaw);
  const std::string shown = co_await probe.new_code();
  const std::string challenge = probe.usual_request().get("code_challenge").value_or("");
  const Reply unhashed = co_await probe.redeem(shown, challenge);
  if (!shown.empty() && unhashed.status == 200) {
    co_return broken(
        "a code for a challenge by S256 was redeemed with the challenge itself as "
        "code_verifier: whoever reads the request can do so");
  }
  const std::string second = co_await probe.new_code();
  if (second.empty()) co_return not_for_it(probe.lacks_code());
  const Reply none = co_await probe.redeem(second, std::nullopt);
  if (none.status == 200) co_return broken("a code was redeemed without its code_verifier");
  Finding plain = co_await judge_plain(probe);
  co_return std::move(plain);
}

Task<Finding> gives_short_lives(AuthProbe& probe) {
  const Json tokens = co_await probe.new_tokens();
  if (!tokens.is_object()) co_return not_for_it(probe.lacks_code());
  const Json* const lives = find(tokens, "expires_in");
  if (lives == nullptr) co_return broken("its token says nothing of its life (expires_in)");
  if (!lives->is_number_integer()) co_return not_for_it("its expires_in is no whole number");
  if (lives->get<std::int64_t>() <= kLongLived) co_return passes();
  co_return broken("its token lives for " + clipped(dump_json(*lives)) +
                   " seconds, expected a day at most");
}

Task<Finding> rotates(AuthProbe& probe) {
  const Json tokens = co_await probe.new_tokens();
  if (!tokens.is_object()) co_return not_for_it(probe.lacks_code());
  const std::string first = string_or(tokens, "refresh_token", "");
  if (first.empty()) co_return not_for_it("it gives no refresh token");
  const Reply renewed = co_await probe.refresh(first);
  if (is_busy(renewed)) co_return undecided("a refresh got " + renewed.describe());
  if (renewed.status != 200) {
    co_return not_for_it("a good refresh token is refused: " + refused_with(renewed));
  }
  const Reply again = co_await probe.refresh(first);
  if (again.status == 200) co_return broken("a refresh token of a public client was taken twice");
  const std::string flaw = replay_flaw("refresh token", again);
  if (!flaw.empty()) co_return broken(flaw);
  const Json successor = json_in(renewed);
  const std::string lives = co_await lives_on(probe, string_or(successor, "refresh_token", ""));
  if (lives.empty()) co_return passes();
  co_return risky(
      "a refresh token that was used before was refused, and the one that had come in its place is "
      "still taken" +
      lives);
}

// token_flaw says what of an answer with a token a client cannot read; empty: nothing.
std::string token_flaw(const Json& tokens) {
  for (const char* const member : {"access_token", "token_type"}) {
    const Json* const value = find(tokens, member);
    if (value == nullptr) return "has no " + std::string(member);
    if (value->is_string() && !value->get_ref<const std::string&>().empty()) continue;
    return "has the " + std::string(member) + " " + clipped(dump_json(*value)) +
           ", expected a text";
  }
  const Json* const lives = find(tokens, "expires_in");
  if (lives != nullptr && !lives->is_number()) {
    return "has the expires_in " + clipped(dump_json(*lives)) + ", expected a number of seconds";
  }
  for (const char* const member : {"refresh_token", "scope"}) {
    const Json* const value = find(tokens, member);
    if (value == nullptr || value->is_string()) continue;
    return "has the " + std::string(member) + " " + clipped(dump_json(*value)) +
           ", expected a text or none";
  }
  if (equals_ignoring_case(string_or(tokens, "token_type", ""), "Bearer")) return {};
  return "has the token_type \"" + clipped(string_or(tokens, "token_type", "")) +
         "\", expected Bearer";
}

Task<Finding> answers_with_a_token(AuthProbe& probe) {
  std::string code = co_await probe.new_code();
  if (code.empty()) co_return not_for_it(probe.lacks_code());
  const Reply reply = co_await probe.redeem(std::move(code), AuthProbe::right_verifier());
  if (is_busy(reply)) co_return undecided("a good code got " + reply.describe());
  if (reply.status != 200) co_return not_for_it("a good code is refused: " + refused_with(reply));
  const Json tokens = json_in(reply);
  std::string flaw = tokens.is_object() ? token_flaw(tokens) : "is no object in JSON";
  const std::string type = other_type(reply);
  if (flaw.empty() && !type.empty()) flaw = type + " (RFC 6749, section 5.1)";
  co_return flaw.empty() ? passes() : broken("the answer with a token " + flaw);
}

constexpr const char* kNoOther = "it registers no other client, as which to try";

// judge_owner judges how another client was refused: RFC 6749, section 5.2, has invalid_grant for
// what "was issued to another client". Who takes it for a matter of the client refuses it as well.
Task<Finding> judge_owner(AuthProbe* probe, std::string what, Reply reply) {
  const std::string flaw = co_await named_grant_flaw(*probe, reply, what == "code");
  if (flaw.empty()) co_return passes();
  const std::string error = error_of(reply);
  const std::string said = "the " + what + " of one client that another one shows " + flaw;
  const bool of_client = error == "invalid_client" || error == "unauthorized_client";
  co_return of_client ? risky(said) : broken(said);
}

Task<Finding> binds_codes(AuthProbe& probe) {
  std::string code = co_await probe.good_code();
  if (code.empty()) co_return not_for_it(probe.lacks_code());
  wire::Form form = {{"grant_type", "authorization_code"},
                     {"code", std::move(code)},
                     {"redirect_uri", probe.client().redirect_uri},
                     {"code_verifier", AuthProbe::right_verifier()}};
  const Reply reply = co_await probe.as_another(std::move(form));
  if (reply.status == 0) co_return not_for_it(kNoOther);
  if (reply.status == 200) {
    co_return broken("a code that one client asked for was redeemed by another client");
  }
  co_return co_await judge_owner(&probe, "code", reply);
}

Task<Finding> binds_refresh_tokens(AuthProbe& probe) {
  const Json tokens = co_await probe.renewed_tokens();
  if (!tokens.is_object()) co_return not_for_it(probe.lacks_refresh());
  const std::string token = string_or(tokens, "refresh_token", "");
  wire::Form form = {{"grant_type", "refresh_token"}, {"refresh_token", token}};
  const Reply reply = co_await probe.as_another(std::move(form));
  if (reply.status == 0) co_return not_for_it(kNoOther);
  if (reply.status == 200) {
    co_return broken("the refresh token of one client was used by another client");
  }
  Finding named = co_await judge_owner(&probe, "refresh token", reply);
  const Reply own = co_await probe.refresh(token);
  if (error_of(own) != "invalid_grant") co_return std::move(named);
  co_return risky(
      "the refresh token of one client was refused to another client, and to its own with "
      "invalid_grant since: whoever sees the token can sign its user out");
}

// RFC 7009, section 2.
Task<Finding> revokes_at_once(AuthProbe& probe) {
  std::string endpoint = probe.authority().member("revocation_endpoint");
  if (endpoint.empty()) co_return not_for_it("its metadata names no revocation_endpoint");
  const Json tokens = co_await probe.renewed_tokens();
  if (!tokens.is_object()) co_return not_for_it(probe.lacks_refresh());
  const std::string token = string_or(tokens, "refresh_token", "");
  wire::Form form = {{"token", token}, {"client_id", probe.client().id}};
  const Reply revoked = co_await probe.post(std::move(endpoint), std::move(form));
  if (revoked.status / 100 != 2) {
    const std::string refused = "it refuses to revoke a token of its own: " + refused_with(revoked);
    const bool of_client = revoked.status == 401 || revoked.status == 403 ||
                           error_of(revoked) == "invalid_client" ||
                           error_of(revoked) == "unauthorized_client";
    if (of_client || is_busy(revoked)) co_return not_for_it(refused);
    co_return broken(refused + ", expected 200 (RFC 7009, section 2.2)");
  }
  const Reply again = co_await probe.refresh(token);
  if (again.status == 200) {
    co_return broken("a refresh token was taken after it had been revoked");
  }
  const std::string flaw = co_await named_grant_flaw(probe, again, false);
  co_return flaw.empty() ? passes() : broken("a refresh token that had been revoked " + flaw);
}

constexpr AuthCheck kGrantChecks[] = {
    {"auth.as-oauth21", grants_as_oauth21},
    {"auth.as-pkce-enforced", wants_the_verifier},
    {"auth.short-lived-tokens", gives_short_lives},
    {"auth.refresh-rotation", rotates},
    {"auth.as-token-answer", answers_with_a_token},
    {"auth.as-code-bound-to-client", binds_codes},
    {"auth.as-refresh-bound-to-client", binds_refresh_tokens},
    {"auth.as-revoked-is-refused", revokes_at_once},
};

}  // namespace

AuthChecks grant_checks() { return kGrantChecks; }

}  // namespace plumbline::conformance
