// What an authorization server gets that few send: texts of every letter and length, values of
// another type, pages that are looked at twice, browsers that have been there before.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/auth/check.h"
#include "conformance/checks/auth/probe.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kLongValue = 1'500;

// OddValue is a value of a parameter that nobody has to take, and nobody may fail over.
struct OddValue {
  const char* name;
  const char* value;  // Null: a long one.
  const char* what;
};

constexpr OddValue kOddAsked[] = {
    {"state", "\xc3\xa9 \xf0\x9f\x93\x8e", "a state with letters beyond ASCII"},
    {"state", nullptr, "a state of 1500 letters"},
    {"state", "100%", "a state with a percent sign"},
    {"scope", "\xc3\xa9", "a scope with letters beyond ASCII"},
    {"scope", "a\"b\\c", "a scope with a quote"},
    {"client_id", "\xc3\xa9", "a client_id with letters beyond ASCII"},
    {"client_id", "", "an empty client_id"},
    {"client_id", nullptr, "a client_id of 1500 letters"},
    {"client_id", "a'b%00", "a client_id with a quote and %00"},
    {"redirect_uri", "http://[", "a redirect_uri that is none"},
    {"redirect_uri", "%zz", "a redirect_uri with %zz"},
    {"redirect_uri", "", "an empty redirect_uri"},
    {"response_type", "code token", "response_type=code token"},
    {"response_type", "", "an empty response_type"},
    {"code_challenge", nullptr, "a code_challenge of 1500 letters"},
    {"resource", "not a uri", "a resource that is no URI"},
    {"prompt", "plumbline", "a prompt that is not known"},
    {"max_age", "soon", "a max_age that is no number"},
    {"claims", "{", "claims that are no JSON"},
    {"request", "a.b.c", "a request object that is none"},
};

constexpr OddValue kOddTokens[] = {
    {"grant_type", "\xc3\xa9", "a grant_type with letters beyond ASCII"},
    {"grant_type", "", "an empty grant_type"},
    {"client_id", "\xc3\xa9", "a client_id with letters beyond ASCII"},
    {"client_id", "", "an empty client_id"},
    {"refresh_token", nullptr, "a refresh_token of 1500 letters"},
    {"refresh_token", "a'b", "a refresh_token with a quote"},
    {"refresh_token", "", "an empty refresh_token"},
    {"scope", "\xc3\xa9", "a scope with letters beyond ASCII"},
    {"resource", "not a uri", "a resource that is no URI"},
};

constexpr std::pair<const char*, const char*> kOddBodies[] = {
    {"", "an empty body"},
    {"%zz=%&&==", "a body that is no form"},
    {"{\"grant_type\": \"refresh_token\"}", "JSON in place of a form"},
};

constexpr std::pair<const char*, const char*> kOddRegistrations[] = {
    {"[]", "a list"},
    {"null", "null"},
    {"{", "what is no JSON"},
    {R"({"redirect_uris": null})", "redirect_uris: null"},
    {R"({"redirect_uris": "http://127.0.0.1/"})", "redirect_uris that is a text"},
    {R"({"redirect_uris": [1, null]})", "redirect_uris of a number and null"},
    {R"({"redirect_uris": {}})", "redirect_uris that is an object"},
    {R"({"redirect_uris": []})", "redirect_uris: []"},
    {R"({"redirect_uris": ["http://["]})", "a redirect_uri that is none"},
    {R"({"redirect_uris": ["http://127.0.0.1/"], "grant_types": "code"})",
     "grant_types that is a text"},
    {R"({"redirect_uris": ["http://127.0.0.1/"], "client_name": {"a": 1}})",
     "a client_name that is an object"},
    {R"({"redirect_uris": ["http://127.0.0.1/"], "scope": 5})", "a scope that is a number"},
    {R"({"redirect_uris": ["http://127.0.0.1/"], "contacts": "me", "jwks": "x"})",
     "contacts and jwks that are texts"},
};

std::string value_of(const OddValue& odd) {
  return odd.value == nullptr ? std::string(kLongValue, 'x') : odd.value;
}

// failed returns what is to be said of an answer by a status of the server's own fault.
std::optional<Finding> failed(const Reply& reply, const std::string& what,
                              const std::string& where) {
  if (reply.status == 0) {
    return risky(
        "for " + what + " its " + where + " gave " + reply.describe() +
        ", expected a refusal; where a stranger's request ends the server, it ends for all");
  }
  const bool fails = reply.status >= 500 && reply.status != 501 && reply.status != 503;
  if (!fails) return std::nullopt;
  return risky("for " + what + " its " + where + " fails: status " + std::to_string(reply.status) +
               ", expected a refusal; what a stranger sends makes errors, and clients try again");
}

Task<std::optional<Finding>> odd_tokens(AuthProbe* probe) {
  const std::string endpoint = probe->authority().member("token_endpoint");
  if (endpoint.empty()) co_return std::nullopt;
  const std::string id = probe->client().id.empty() ? "plumbline" : probe->client().id;
  const wire::Form usual = {{"grant_type", "refresh_token"},
                            {"refresh_token", "plumbline-unknown-token"},
                            {"client_id", id}};
  for (const OddValue& odd : kOddTokens) {
    wire::Form form = changed(usual, odd.name, value_of(odd));
    const Reply reply = co_await probe->post(endpoint, std::move(form));
    if (reply.status == 429) co_return std::nullopt;
    if (auto found = failed(reply, odd.what, "token endpoint")) co_return found;
  }
  const wire::Form code = probe->redeeming("plumbline-unknown-code", AuthProbe::right_verifier());
  for (const auto& [name, form] :
       {std::pair<const char*, const wire::Form&>("code", code),
        std::pair<const char*, const wire::Form&>("client_id", code),
        std::pair<const char*, const wire::Form&>("refresh_token", usual),
        std::pair<const char*, const wire::Form&>("grant_type", usual)}) {
    wire::Form less = without(form, name);
    const Reply reply = co_await probe->post(endpoint, std::move(less));
    if (reply.status == 429) co_return std::nullopt;
    const std::string what = "a request without " + std::string(name);
    if (auto found = failed(reply, what, "token endpoint")) co_return found;
  }
  for (const auto& [body, what] : kOddBodies) {
    wire::HttpRequest request = form_request(wire::Form());
    request.body = body;
    const Reply reply = co_await probe->ask(endpoint, std::move(request));
    if (reply.status == 429) co_return std::nullopt;
    if (auto found = failed(reply, what, "token endpoint")) co_return found;
  }
  co_return std::nullopt;
}

Task<std::optional<Finding>> odd_registrations(AuthProbe* probe) {
  const std::string endpoint = probe->authority().member("registration_endpoint");
  if (endpoint.empty()) co_return std::nullopt;
  for (const auto& [body, what] : kOddRegistrations) {
    wire::HttpRequest request;
    request.method = "POST";
    request.headers.set("Content-Type", "application/json");
    request.headers.set("Accept", "application/json");
    request.body = body;
    const Reply reply = co_await probe->ask(endpoint, std::move(request));
    if (reply.status == 429) co_return std::nullopt;
    if (reply.status == 201) co_await probe->take_back(json_in(reply));
    if (auto found = failed(reply, what, "registration endpoint")) co_return found;
  }
  co_return std::nullopt;
}

// What is wrong with a request is its sender's fault (RFC 9110, section 15.5), not the server's.
Task<Finding> fails_over_nothing(AuthProbe& probe) {
  if (probe.authority().member("authorization_endpoint").empty()) {
    co_return not_for_it("its metadata names no authorization_endpoint");
  }
  const wire::Form usual = probe.usual_request();
  for (const OddValue& odd : kOddAsked) {
    wire::Form form = changed(usual, odd.name, value_of(odd));
    const Reply reply = co_await probe.authorize(std::move(form));
    if (reply.status == 429) co_return passes();
    if (auto found = failed(reply, odd.what, "authorization endpoint")) co_return *found;
  }
  if (auto found = co_await odd_tokens(&probe)) co_return *found;
  if (auto found = co_await odd_registrations(&probe)) co_return *found;
  co_return passes();
}

constexpr std::pair<const char*, const char*> kChallenges[] = {
    {"short", "of five letters"},
    {"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-c", "of 42 letters"},
    {"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM=", "with the = of Base64"},
    {"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw/c+", "with the / and + of Base64"},
};

// RFC 7636, section 4.2: the S256 challenge has 43 letters of A-Z a-z 0-9 - and _.
Task<Finding> knows_the_form_of_challenges(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  const wire::Form right = probe.usual_request();
  const Reply usual = co_await probe.authorize(right);
  const std::optional<Finding> refused = refuses_usual(usual);
  if (refused) co_return *refused;
  for (const auto& [challenge, what] : kChallenges) {
    wire::Form form = changed(right, "code_challenge", challenge);
    const Reply reply = co_await probe.authorize(std::move(form));
    if (!goes_on(reply, usual)) continue;
    co_return risky("it takes a code_challenge " + std::string(what) +
                    " with S256, which no SHA-256 in Base64 without padding has: its client can "
                    "never redeem the code, and is told so after its user has agreed");
  }
  co_return passes();
}

Task<Finding> bears_second_looks(AuthProbe& probe) {
  const std::string first = co_await probe.new_code();
  if (first.empty()) co_return not_for_it(probe.lacks_code());
  probe.look_twice(true);
  std::string twice = co_await probe.new_code();
  if (twice.empty()) twice = co_await probe.new_code();  // It may have been a chance.
  probe.look_twice(false);
  if (!twice.empty()) co_return passes();
  if ((co_await probe.new_code()).empty()) co_return undecided("it gives no code any more");
  co_return risky(
      "its page was fetched a second time before the form on it was sent, as browsers do that "
      "preview or load in advance, and its user's consent gave no code: each fetch makes the page "
      "before it useless");
}

constexpr int kConsents = 12;

Task<Finding> bears_old_friends(AuthProbe& probe) {
  probe.keep_cookies(true);
  int visits = 0;
  while (visits < kConsents && !(co_await probe.new_code()).empty()) ++visits;
  probe.keep_cookies(false);
  if (visits == 0) co_return not_for_it(probe.lacks_code());
  if (visits == kConsents) co_return passes();
  if ((co_await probe.new_code()).empty()) co_return undecided("it gives no code any more");
  co_return risky("a browser that keeps its cookies was given a code " + std::to_string(visits) +
                  " times, and then none, and one without cookies was: what it keeps in cookies "
                  "grows with each client");
}

constexpr AuthCheck kOddRequestChecks[] = {
    {"auth.as-pkce-challenge-form", knows_the_form_of_challenges},
    {"auth.as-page-fetched-twice", bears_second_looks},
    {"auth.as-cookies-bounded", bears_old_friends},
    {"auth.as-no-server-errors", fails_over_nothing},
};

}  // namespace

AuthChecks odd_request_checks() { return kOddRequestChecks; }

}  // namespace plumbline::conformance
