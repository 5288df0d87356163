// What a server makes of tokens: spec, basic/authorization, Token Handling and Error Handling;
// OAuth 2.1, sections 5.2 and 5.3.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/auth/door.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/transports/http_ways.h"
#include "core/base/base64.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNoForeign = "no token of somebody else was given (--foreign-header)";

// Forged is a token that nobody gave out.
struct Forged {
  std::string what;
  std::string token;
};

// forgeries_of returns what an attacker can make of a JSON Web Token without its key.
std::vector<Forged> forgeries_of(const std::string& token) {
  std::vector<Forged> forged = {{"an unknown token", "plumbline-no-such-token"}};
  const std::size_t first = token.find('.');
  const std::size_t last = token.rfind('.');
  if (first == std::string::npos || first == last) return forged;
  const std::string payload = token.substr(first + 1, last - first - 1);
  const std::optional<std::string> text = decode_base64url(payload);
  Result<Json> claims = parse_json(text.value_or(""));
  if (!claims.ok() || !claims.value().is_object()) return forged;
  const std::string unsigned_head = encode_base64url(R"({"alg":"none","typ":"JWT"})");
  forged.push_back(
      {"the user's token without a signature (alg: none)", unsigned_head + "." + payload + "."});
  Json other = std::move(claims).value();
  other["sub"] = "plumbline-somebody-else";
  forged.push_back(
      {"the user's token with another sub under its signature",
       token.substr(0, first + 1) + encode_base64url(dump_json(other)) + token.substr(last)});
  std::string torn = token;
  char& digit = torn[last + 1 < torn.size() ? last + 1 : first + 1];
  digit = digit == 'A' ? 'B' : 'A';
  forged.push_back({"the user's token with another signature", torn});
  return forged;
}

Task<Finding> validates_tokens(Probe& probe) {
  const Door door = co_await try_door(probe);
  if (!door.shut) co_return not_for_it(door.open);
  for (const Forged& forged : forgeries_of(user_token(probe))) {
    const Reply reply = co_await knock(probe, "Bearer " + forged.token);
    if (reply.status == 0) co_return undecided("got " + reply.describe());
    if (!is_taken(reply)) continue;
    co_return broken(forged.what + " got status " + std::to_string(reply.status) +
                     ", expected it to be refused");
  }
  co_return passes();
}

// refusal_of_unknown returns what comes of a token that nobody gave out.
Task<Reply> refusal_of_unknown(Probe& probe, std::string& unable) {
  const Door door = co_await try_door(probe);
  Reply reply;
  if (!door.shut) {
    unable = door.open;
  } else {
    reply = co_await knock(probe, kUnknownToken);
    if (is_taken(reply)) unable = "it takes every token: auth.token-validated";
  }
  co_return reply;
}

Task<Finding> refuses_with_401(Probe& probe) {
  std::string unable;
  const Reply reply = co_await refusal_of_unknown(probe, unable);
  if (!unable.empty()) co_return not_for_it(unable);
  if (reply.status == 0) co_return undecided("got " + reply.describe());
  if (reply.status == 401) co_return passes();
  co_return broken("an unknown token got status " + std::to_string(reply.status) +
                   ", expected 401");
}

Task<Finding> says_what_is_wrong(Probe& probe) {
  std::string unable;
  const Reply reply = co_await refusal_of_unknown(probe, unable);
  if (!unable.empty()) co_return not_for_it(unable);
  if (reply.status != 401) co_return not_for_it("an unknown token does not get 401");
  const std::optional<Challenge> bearer = bearer_challenge(reply.headers);
  if (!bearer) co_return broken("the 401 to an unknown token has no WWW-Authenticate for Bearer");
  const std::optional<std::string> error = bearer->param("error");
  if (!error)
    co_return risky("the challenge to an unknown token has no error, expected \"invalid_token\"");
  if (*error == "invalid_token") co_return passes();
  co_return broken("the challenge to an unknown token has error=\"" + clipped(*error) +
                   "\", expected \"invalid_token\"");
}

// without_token judges the answer to a request without one.
Task<Finding> without_token(Probe& probe, Door door) {
  const int status = door.refusal.status;
  if (!door.shut) {
    co_return about(
        broken("a request without a token got status " + std::to_string(status) + ", expected 401"),
        door.refusal);
  }
  // An address ends up in logs: only that of a machine of the user's own.
  const std::string token = user_token(probe);
  const wire::Url& url = probe.subject().spec().url;
  if (token.empty() || !is_loopback(url.host)) co_return passes();
  const char* const behind = url.target.find('?') == std::string::npos ? "?" : "&";
  const Reply reply = co_await knock(probe, std::nullopt, behind + ("access_token=" + token));
  if (!is_taken(reply)) co_return passes();
  co_return broken("a token in the query of the address got status " +
                   std::to_string(reply.status) + ", expected 401");
}

// lets_in_without returns whether a server that is not shut has nothing to be judged by.
bool lets_in_without(const Door& door) {
  return !door.shut && (is_taken(door.refusal) || door.refusal.status == 0 || door.own_key);
}

Task<Finding> wants_a_token(Probe& probe) {
  const Door door = co_await try_door(probe);
  if (!door.shut && (!door.has_token || lets_in_without(door))) co_return not_for_it(door.open);
  co_return co_await without_token(probe, door);
}

// malformed judges the answer to an Authorization header that cannot be read.
Task<Finding> malformed(Probe& probe) {
  const Reply reply = co_await knock(probe, "Bearer");
  if (reply.status == 400 || reply.status == 401 || reply.status == 0) co_return passes();
  co_return broken("\"Authorization: Bearer\" without a token got status " +
                   std::to_string(reply.status) + ", expected 400 or 401");
}

Task<Finding> tells_malformed_ones(Probe& probe) {
  const Door door = co_await try_door(probe);
  if (!door.shut) co_return not_for_it(door.open);
  co_return co_await malformed(probe);
}

Task<Finding> uses_the_status_codes(Probe& probe) {
  const Door door = co_await try_door(probe);
  if (!door.shut && (!door.has_token || lets_in_without(door))) co_return not_for_it(door.open);
  Finding finding = co_await without_token(probe, door);
  if (finding.verdict == Verdict::kPass) finding = co_await malformed(probe);
  co_return std::move(finding);
}

Task<Finding> refuses_tokens_for_others(Probe& probe) {
  const Door door = co_await try_door(probe);
  if (!door.shut) co_return not_for_it(door.open);
  const auto foreign = probe.foreign_headers().get("Authorization");
  if (!foreign) co_return not_for_it(kNoForeign);
  const Reply reply = co_await knock(probe, std::string(*foreign));
  if (reply.status == 0) co_return undecided("got " + reply.describe());
  if (!is_taken(reply)) co_return passes();
  co_return broken("a token for another resource got status " + std::to_string(reply.status) +
                   ", expected 401");
}

// RFC 9110, section 11.1: the name of a scheme has no case.
Task<Finding> reads_schemes_in_any_case(Probe& probe) {
  const Door door = co_await try_door(probe);
  if (!door.shut) co_return not_for_it(door.open);
  const std::string token = user_token(probe);
  if (token.empty()) co_return not_for_it("no token was given (--header)");
  const Reply reply = co_await knock(probe, "bearer " + token);
  if (reply.status == 0) co_return undecided("got " + reply.describe());
  if (is_taken(reply) || (reply.status != 400 && reply.status != 401)) co_return passes();
  co_return broken("\"Authorization: bearer\" with a good token got status " +
                   std::to_string(reply.status) +
                   ", and \"Bearer\" with the same opens it: the name of a scheme has no case (RFC "
                   "9110, 11.1), and clients write it as token endpoints write token_type");
}

constexpr ServerCheck kTokenChecks[] = {
    {"auth.missing-token-401", Eras::kStateful, SessionUse::kOpens, wants_a_token},
    {"auth.error-status-codes", Eras::kStateless, SessionUse::kOpens, uses_the_status_codes},
    {"auth.token-validated", Eras::kBoth, SessionUse::kOpens, validates_tokens},
    {"auth.audience-validated", Eras::kBoth, SessionUse::kOpens, refuses_tokens_for_others},
    {"auth.invalid-token-401", Eras::kBoth, SessionUse::kOpens, refuses_with_401},
    {"auth.validation-failure-response", Eras::kBoth, SessionUse::kOpens, says_what_is_wrong},
    {"auth.malformed-request-400", Eras::kStateful, SessionUse::kOpens, tells_malformed_ones},
    {"auth.scheme-in-any-case", Eras::kBoth, SessionUse::kOpens, reads_schemes_in_any_case},
};

}  // namespace

ServerChecks token_checks() { return kTokenChecks; }

}  // namespace plumbline::conformance
