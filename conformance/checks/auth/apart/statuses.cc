// With which status the token endpoint refuses: RFC 6749, section 5.2; OAuth 2.1, section 3.2.4.

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/auth/check.h"
#include "conformance/checks/auth/probe.h"
#include "conformance/checks/auth/registering.h"

namespace plumbline::conformance {

namespace {

// is_of_the_request returns whether an error says nothing of who the client is.
bool is_of_the_request(const std::string& error) {
  constexpr std::string_view kErrors[] = {"invalid_grant", "invalid_request", "invalid_scope",
                                          "unsupported_grant_type"};
  return std::ranges::find(kErrors, error) != std::end(kErrors);
}

struct Refusable {
  const char* what;
  wire::Form form;
};

std::vector<Refusable> refusable(const AuthProbe& probe) {
  const wire::Form refresh = probe.refreshing(kUnknownSecret);
  const wire::Form code = probe.redeeming(kUnknownSecret, AuthProbe::right_verifier());
  return {{"a made-up refresh token", refresh},
          {"a made-up code", code},
          {"a grant_type that nobody knows", changed(refresh, "grant_type", "plumbline")},
          {"a request without a grant_type", without(refresh, "grant_type")},
          {"a request without its code", without(code, "code")},
          {"a request without its refresh_token", without(refresh, "refresh_token")}};
}

// 401 is for who has not shown who it is, and all else is 400.
Task<Finding> refuses_with_400(AuthProbe& probe) {
  const std::string lack = probe.lacks_tokens();
  if (!lack.empty()) co_return not_for_it(lack);
  const std::string endpoint = probe.authority().member("token_endpoint");
  std::vector<Refusable> requests = refusable(probe);
  bool seen = false;
  for (Refusable& request : requests) {
    const Reply reply = co_await probe.post(endpoint, std::move(request.form));
    if (reply.status == 0 || reply.status == 429) break;
    const std::string error = error_of(reply);
    // What is no refusal, and what fails, is for other rules.
    if (!is_of_the_request(error) || reply.status / 100 != 4) continue;
    // Who has a secret to show has shown none.
    const bool of_client = reply.status == 401 && !probe.client().shows_nothing();
    if (of_client && error != "invalid_grant") continue;
    seen = true;
    if (reply.status == 400) continue;
    const std::string why =
        reply.status == 401 ? ": 401 says that the client is not known, by invalid_client" : "";
    co_return about(broken(std::string(request.what) + " got " + refused_with(reply) +
                           ", expected status 400" + why),
                    reply);
  }
  co_return seen ? passes() : not_for_it("it refuses no request for what is wrong with it");
}

Task<Finding> challenges_wrong_secrets(AuthProbe& probe) {
  if (!has_registration(probe)) co_return not_for_it(kRegistersNobody);
  if (probe.authority().member("token_endpoint").empty()) {
    co_return not_for_it("its metadata names no token_endpoint");
  }
  const std::string method = "client_secret_basic";
  Registered made = co_await register_for(probe, method);
  Reply right;
  Reply wrong;
  if (!made.secret.empty()) {
    right = co_await with_secret(probe, method, made.id, made.secret);
    wrong = co_await with_secret(probe, method, made.id, "plumbline-wrong-secret");
  }
  co_await probe.take_back(std::move(made.answer));
  if (made.secret.empty()) co_return not_for_it("it registers no client for " + method);
  const bool looks = error_of(wrong) == "invalid_client" && error_of(right) != "invalid_client";
  if (is_busy(right) || is_busy(wrong) || !looks) {
    co_return not_for_it("it does not refuse a wrong secret as invalid_client, and take the right");
  }
  const bool asks = wrong.headers.count("WWW-Authenticate") > 0;
  if (wrong.status == 401 && asks) co_return passes();
  const std::string lacks = asks ? std::string() : " and no WWW-Authenticate";
  co_return about(broken("a wrong secret in the Authorization header got " + refused_with(wrong) +
                         lacks + ", expected 401 with WWW-Authenticate for Basic"),
                  wrong);
}

constexpr AuthCheck kStatusChecks[] = {
    {"auth.as-error-status", refuses_with_400},
    {"auth.as-wrong-secret-challenged", challenges_wrong_secrets},
};

}  // namespace

AuthChecks status_checks() { return kStatusChecks; }

}  // namespace plumbline::conformance
