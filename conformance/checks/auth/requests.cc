// What a request for authorization has to hold: OAuth 2.1, sections 4.1.1 and 4.1.2.1; RFC 7636,
// section 4.4.1; RFC 8707, section 2.

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

// Flawed is a request that is to be refused.
struct Flawed {
  std::string what;
  wire::Form form;
  std::vector<std::string_view> errors = {};  // Of which the client is told one; none: any.
  bool binds = false;                         // A clause says that it must be one of these.
};

// other_error says that the client is told another error than those of the text; empty: it is not,
// or the user is told.
std::string other_error(const AuthProbe& probe, const Flawed& request, const Reply& reply) {
  const std::optional<std::string> error = answered_fields(reply).get("error");
  const bool told = error && is_sent_to(reply, probe.client().redirect_uri);
  if (!told || request.errors.empty()) return {};
  if (std::ranges::find(request.errors, *error) != request.errors.end()) return {};
  std::string expected;
  for (const std::string_view each : request.errors) {
    expected += (expected.empty() ? "\"" : " or \"") + std::string(each) + "\"";
  }
  return request.what + " got the error \"" + clipped(*error) + "\", expected " + expected;
}

// refuses judges whether each of the requests is refused. `advice`: no clause says that it must be.
Task<Finding> refuses(AuthProbe& probe, std::vector<Flawed> requests, std::string why,
                      bool advice) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  wire::Form right = probe.usual_request();
  const Reply usual = co_await probe.authorize(std::move(right));
  const std::optional<Finding> refused = refuses_usual(usual);
  if (refused) co_return *refused;
  std::string said_otherwise;
  for (Flawed& request : requests) {
    const Reply reply = co_await probe.authorize(std::move(request.form));
    if (reply.status == 0) co_return undecided("got " + reply.describe());
    const std::string other = other_error(probe, request, reply);
    if (!other.empty() && request.binds) co_return broken(other);
    if (!other.empty() && said_otherwise.empty()) said_otherwise = other;
    if (reply.status >= 500) {
      co_return broken(request.what + " got status " + std::to_string(reply.status) +
                       ", expected a refusal");
    }
    if (!goes_on(reply, usual)) continue;
    const std::string said = request.what + " is taken as a good one is: " + why;
    co_return advice ? risky(said) : broken(said);
  }
  co_return said_otherwise.empty() ? passes() : risky(said_otherwise);
}

Task<Finding> wants_a_response_type(AuthProbe& probe) {
  const wire::Form usual = probe.usual_request();
  std::vector<Flawed> requests;
  requests.push_back({"a request without response_type",
                      without(usual, "response_type"),
                      {"invalid_request", "unsupported_response_type"}});
  requests.push_back({"a request with the response_type \"plumbline\"",
                      changed(usual, "response_type", "plumbline"),
                      {"unsupported_response_type", "invalid_request"}});
  Finding found = co_await refuses(probe, std::move(requests),
                                   "expected invalid_request or unsupported_response_type", false);
  co_return found;
}

Task<Finding> wants_a_challenge(AuthProbe& probe) {
  const wire::Form usual = probe.usual_request();
  wire::Form bare = without(usual, "code_challenge");
  std::vector<Flawed> requests;
  requests.push_back({"a request of a public client without code_challenge",
                      without(bare, "code_challenge_method"),
                      {"invalid_request"},
                      true});
  Finding found =
      co_await refuses(probe, std::move(requests), "whoever steals the code can redeem it", false);
  co_return found;
}

bool lists(const Json& list, std::string_view value) {
  return list.is_array() && std::ranges::find(list, Json(std::string(value))) != list.end();
}

// RFC 7636, section 7.2: "plain" SHOULD NOT be used in new implementations.
constexpr const char* kChallengeIsRead =
    "whoever reads the request can redeem its code (RFC 7636, section 7.2)";

// code_without_method asks for a code with a challenge that has no method; empty: it gets none.
Task<std::string> code_without_method(AuthProbe* probe) {
  wire::Form bare = without(probe->usual_request(), "code_challenge_method");
  const Reply asked = co_await probe->ask_for_code(std::move(bare));
  const bool sent = is_sent_to(asked, probe->client().redirect_uri);
  co_return sent ? answered_fields(asked).get("code").value_or("") : std::string();
}

// takes_bare_as_plain judges whether a challenge without a method is its own verifier, which shows
// where a code is redeemed with it.
Task<Finding> takes_bare_as_plain(AuthProbe* probe) {
  if (probe->authority().member("token_endpoint").empty()) co_return passes();
  const std::string challenge = probe->usual_request().get("code_challenge").value_or("");
  std::string code = co_await code_without_method(probe);
  if (code.empty()) co_return passes();
  const Reply redeemed = co_await probe->redeem(std::move(code), challenge);
  if (redeemed.status != 200) co_return passes();
  // That any other is taken as well is for auth.as-pkce-enforced.
  std::string next = co_await code_without_method(probe);
  const Reply wrong = co_await probe->redeem(std::move(next), std::string(challenge.size(), 'x'));
  if (wrong.status == 200) co_return passes();
  co_return risky(
      "a request without code_challenge_method is taken as one with \"plain\", and its code was "
      "redeemed with the code_challenge as code_verifier: " +
      std::string(kChallengeIsRead));
}

Task<Finding> knows_the_method(AuthProbe& probe) {
  const wire::Form usual = probe.usual_request();
  std::vector<Flawed> requests;
  requests.push_back({"a request with the code_challenge_method \"plumbline\"",
                      changed(usual, "code_challenge_method", "plumbline"),
                      {"invalid_request"},
                      true});
  Finding found = co_await refuses(probe, std::move(requests), "expected invalid_request", false);
  const Json* const listed = find(probe.authority().document(), "code_challenge_methods_supported");
  if (found.verdict != Verdict::kPass || listed == nullptr) co_return found;
  const std::string which =
      lists(*listed, "plain") ? "which its metadata lists," : "which its metadata does not list,";
  std::vector<Flawed> plain;
  plain.push_back({"a request with the code_challenge_method \"plain\", " + which,
                   changed(usual, "code_challenge_method", "plain")});
  found = co_await refuses(probe, std::move(plain), kChallengeIsRead, true);
  if (found.verdict != Verdict::kPass) co_return found;
  co_return co_await takes_bare_as_plain(&probe);
}

// RFC 8707, section 2: a request may name several resources.
Task<Finding> survives_two_resources(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  wire::Form two = probe.usual_request();
  two.add("resource", "https://plumbline.example/one");
  two.add("resource", "https://plumbline.example/other");
  const Reply reply = co_await probe.authorize(std::move(two));
  if (reply.status == 0) co_return undecided("got " + reply.describe());
  if (reply.status < 500) co_return passes();
  co_return risky("a request that names two resources got status " + std::to_string(reply.status) +
                  ", expected an answer: a client may name several (RFC 8707)");
}

Task<Finding> takes_each_once(AuthProbe& probe) {
  const std::pair<const char*, std::string> seconds[] = {
      {"redirect_uri", probe.client().redirect_uri + "/other"},
      {"client_id", "plumbline-other-client"},
      {"response_type", "token"},
      {"code_challenge", std::string(43, 'a')},
      {"state", "plumbline-other-state"},
  };
  const wire::Form usual = probe.usual_request();
  std::vector<Flawed> requests;
  for (const auto& [name, value] : seconds) {
    wire::Form twice = usual;
    twice.add(name, value);
    requests.push_back({"a request with two " + std::string(name), std::move(twice)});
  }
  Finding found =
      co_await refuses(probe, std::move(requests),
                       "a proxy before it that reads the other one decides otherwise", true);
  co_return found;
}

// eats_refused_refreshes says that a refresh which was refused for its resource has used up the
// token; empty: it has not.
Task<std::string> eats_refused_refreshes(AuthProbe& probe) {
  const Json tokens = co_await probe.new_tokens();
  const std::string token = string_or(tokens, "refresh_token", "");
  std::string endpoint = probe.authority().member("token_endpoint");
  if (token.empty() || endpoint.empty()) co_return std::string();
  wire::Form form =
      changed(probe.refreshing(token), "resource", "https://plumbline.example/unknown");
  const Reply refused = co_await probe.post(std::move(endpoint), std::move(form));
  if (error_of(refused) != "invalid_target") co_return std::string();
  const Reply again = co_await probe.refresh(token);
  if (error_of(again) != "invalid_grant") co_return std::string();
  co_return "a refresh for a resource that it does not know was refused with invalid_target, and "
            "the same refresh token with invalid_grant since: a client that asks for the wrong "
            "resource once has to sign in again";
}

Task<Finding> knows_its_resources(AuthProbe& probe) {
  const wire::Form usual = probe.usual_request();
  std::vector<Flawed> requests;
  requests.push_back({"a request for the resource \"https://plumbline.example/unknown\"",
                      changed(usual, "resource", "https://plumbline.example/unknown"),
                      {"invalid_target", "invalid_request"}});
  Finding found = co_await refuses(
      probe, std::move(requests),
      "expected invalid_target (RFC 8707). MCP servers refuse a token that is for none or for "
      "another, and the client learns of it only then",
      true);
  if (found.verdict != Verdict::kPass) co_return found;
  const std::string eats = co_await eats_refused_refreshes(probe);
  co_return eats.empty() ? found : risky(eats);
}

constexpr const char* kNowhere = "https://client.invalid/plumbline.json";

// A client id that is a URL leads to a document (client id metadata documents).
Task<Finding> survives_unknown_documents(AuthProbe& probe) {
  const std::string uri = "https://plumbline.example/callback";
  if (probe.authority().member("authorization_endpoint").empty()) {
    co_return not_for_it("its metadata names no authorization_endpoint");
  }
  wire::Form right = probe.usual_request();
  wire::Form form = changed(changed(right, "client_id", kNowhere), "redirect_uri", uri);
  const Reply reply = co_await probe.authorize(std::move(form));
  const std::string what = std::string("for a client_id whose document cannot be had (") + kNowhere;
  if (reply.status == 0) co_return undecided(what + ") it gave " + reply.describe());
  if (is_sent_to(reply, uri)) co_return broken(what + ") it sends the browser to " + uri);
  if (reply.status == 500)
    co_return broken(what + ") its authorization endpoint fails: status 500");
  std::string endpoint = probe.authority().member("token_endpoint");
  if (endpoint.empty()) co_return passes();
  wire::Form refresh = {{"grant_type", "refresh_token"},
                        {"refresh_token", "plumbline-unknown-token"},
                        {"client_id", kNowhere}};
  const Reply token = co_await probe.post(std::move(endpoint), std::move(refresh));
  if (token.status == 500) co_return broken(what + ") its token endpoint fails: status 500");
  co_return passes();
}

constexpr AuthCheck kRequestChecks[] = {
    {"auth.as-response-type-checked", wants_a_response_type},
    {"auth.as-pkce-required", wants_a_challenge},
    {"auth.as-pkce-method-known", knows_the_method},
    {"auth.as-doubled-parameters", takes_each_once},
    {"auth.as-unknown-resource", knows_its_resources},
    {"auth.as-several-resources", survives_two_resources},
    {"auth.as-unknown-documents", survives_unknown_documents},
};

}  // namespace

AuthChecks authorize_request_checks() { return kRequestChecks; }

}  // namespace plumbline::conformance
