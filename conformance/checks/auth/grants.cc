// What the token endpoint gives and refuses: OAuth 2.1, sections 3.2, 4.1.3 and 4.3; RFC 7636,
// section 4.6. What needs a code is judged where one is given without a person.

#include <optional>
#include <string>
#include <utility>

#include "conformance/checks/auth/check.h"
#include "conformance/checks/auth/probe.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNeedsPerson = "it gives no code without a person who signs in";
constexpr std::int64_t kLongLived = 86'400;  // Seconds.

// refusal_flaw says what is wrong with a refusal of the token endpoint; empty: nothing.
std::string refusal_flaw(const Reply& reply) {
  const std::string got = "got status " + std::to_string(reply.status);
  if (reply.status != 400 && reply.status != 401) return got + ", expected 400 or 401";
  if (string_or(json_in(reply), "error", "").empty()) return got + " and no JSON with an error";
  return {};
}

// reuse_flaw redeems a code twice.
Task<std::string> reuse_flaw(AuthProbe& probe) {
  std::string code = co_await probe.new_code();
  if (code.empty()) co_return std::string();
  const Reply first = co_await probe.redeem(code, AuthProbe::right_verifier());
  if (first.status != 200) co_return std::string();
  const Reply second = co_await probe.redeem(code, AuthProbe::right_verifier());
  co_return second.status == 200 ? "a code was redeemed twice" : std::string();
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
  const std::string reuse = co_await reuse_flaw(probe);
  co_return reuse.empty() ? passes() : broken(reuse);
}

Task<Finding> wants_the_verifier(AuthProbe& probe) {
  const std::string first = co_await probe.new_code();
  if (first.empty()) co_return not_for_it(kNeedsPerson);
  const Reply wrong =
      co_await probe.redeem(first, "wrong-0123456789-0123456789-0123456789-0123456789");
  if (wrong.status == 200) co_return broken("a code was redeemed with another code_verifier");
  const std::string second = co_await probe.new_code();
  const Reply none = co_await probe.redeem(second, std::nullopt);
  if (none.status == 200) co_return broken("a code was redeemed without its code_verifier");
  co_return passes();
}

// tokens_of returns what a code was redeemed for; null: none.
Task<Json> tokens_of(AuthProbe& probe) {
  const std::string code = co_await probe.new_code();
  if (code.empty()) co_return Json();
  const Reply reply = co_await probe.redeem(code, AuthProbe::right_verifier());
  co_return reply.status == 200 ? json_in(reply) : Json();
}

Task<Finding> gives_short_lives(AuthProbe& probe) {
  const Json tokens = co_await tokens_of(probe);
  if (!tokens.is_object()) co_return not_for_it(kNeedsPerson);
  const Json* const lives = find(tokens, "expires_in");
  if (lives == nullptr) co_return broken("its token says nothing of its life (expires_in)");
  const bool known = lives->is_number_integer();
  if (known && lives->get<std::int64_t>() <= kLongLived) co_return passes();
  co_return broken("its token lives for " + clipped(dump_json(*lives)) +
                   " seconds, expected a day at most");
}

Task<Reply> refresh(AuthProbe& probe, std::string token) {
  wire::Form form = {{"grant_type", "refresh_token"},
                     {"refresh_token", std::move(token)},
                     {"client_id", probe.client().id}};
  std::string endpoint = probe.authority().member("token_endpoint");
  Reply reply = co_await probe.post(std::move(endpoint), std::move(form));
  co_return reply;
}

Task<Finding> rotates(AuthProbe& probe) {
  const Json tokens = co_await tokens_of(probe);
  if (!tokens.is_object()) co_return not_for_it(kNeedsPerson);
  const std::string first = string_or(tokens, "refresh_token", "");
  if (first.empty()) co_return not_for_it("it gives no refresh token");
  const Reply renewed = co_await refresh(probe, first);
  if (renewed.status != 200) co_return undecided("a refresh got " + renewed.describe());
  const Reply again = co_await refresh(probe, first);
  if (again.status != 200) co_return passes();
  co_return broken("a refresh token of a public client was taken twice");
}

constexpr AuthCheck kGrantChecks[] = {
    {"auth.as-oauth21", grants_as_oauth21},
    {"auth.as-pkce-enforced", wants_the_verifier},
    {"auth.short-lived-tokens", gives_short_lives},
    {"auth.refresh-rotation", rotates},
};

}  // namespace

AuthChecks grant_checks() { return kGrantChecks; }

}  // namespace plumbline::conformance
