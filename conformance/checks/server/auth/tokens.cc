// What a server makes of tokens: spec, basic/authorization, Token Handling and Error Handling;
// OAuth 2.1, sections 5.2 and 5.3.

#include <algorithm>
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
#include "core/wire/form.h"

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
  std::vector<Forged> forged;
  const std::size_t first = token.find('.');
  const std::size_t last = token.rfind('.');
  if (first == std::string::npos || first == last) {
    if (!token.empty()) {
      forged.push_back({"the user's token with more behind it", token + "plumbline"});
    }
    return forged;
  }
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

// kUnsigned is formed as a JSON Web Token, and nobody gave it out.
constexpr const char* kUnsigned = "Bearer eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJwbHVtYmxpbmUifQ.bm9ib2R5";

// Stranger is an answer to a token that nobody gave out.
struct Stranger {
  std::string what;  // "an unknown token"
  Reply reply;
};

// unknown_tokens shows some: at the door, and in a conversation that the user's token has opened.
// Nothing of those for which no answer came.
Task<std::vector<Stranger>> unknown_tokens(Probe& probe, Way way) {
  std::vector<Stranger> all;
  Reply reply = co_await knock(probe, way, kUnknownToken);
  all.push_back({"an unknown token", std::move(reply)});
  reply = co_await knock(probe, way, kUnsigned);
  all.push_back({"an unknown JSON Web Token", std::move(reply)});
  if (way == Way::kOpening && !user_token(probe).empty()) {
    reply = co_await knock(probe, Way::kAsking, kUnknownToken);
    all.push_back({"an unknown token behind the opening", std::move(reply)});
  }
  std::erase_if(all, [](const Stranger& one) { return one.reply.status == 0; });
  co_return all;
}

Task<Finding> validates_tokens(Probe& probe) {
  const Door door = co_await try_door(probe);
  if (!door.shut) co_return not_for_it(door.open);
  std::vector<Stranger> all = co_await unknown_tokens(probe, door.way);
  if (all.empty()) co_return undecided("no unknown token was answered");
  for (const Forged& forged : forgeries_of(user_token(probe))) {
    Reply reply = co_await knock(probe, door.way, "Bearer " + forged.token);
    if (reply.status == 0) co_return undecided(forged.what + " got " + reply.describe());
    all.push_back({forged.what, std::move(reply)});
  }
  for (const Stranger& unknown : all) {
    if (!is_taken(unknown.reply)) continue;
    co_return about(broken(unknown.what + " got status " + std::to_string(unknown.reply.status) +
                           ", expected it to be refused"),
                    unknown.reply);
  }
  co_return passes();
}

// refusals_of_unknown returns what comes of tokens that nobody gave out.
Task<std::vector<Stranger>> refusals_of_unknown(Probe& probe, std::optional<Finding>& none) {
  const Door door = co_await try_door(probe);
  std::vector<Stranger> all;
  if (!door.shut) {
    none = not_for_it(door.open);
    co_return all;
  }
  all = co_await unknown_tokens(probe, door.way);
  if (all.empty()) none = undecided("no unknown token was answered");
  std::erase_if(all, [](const Stranger& one) { return is_taken(one.reply); });
  if (all.empty() && !none) none = not_for_it("it takes unknown tokens: auth.token-validated");
  co_return all;
}

Task<Finding> refuses_with_401(Probe& probe) {
  std::optional<Finding> none;
  const std::vector<Stranger> all = co_await refusals_of_unknown(probe, none);
  if (none) co_return *none;
  for (const Stranger& unknown : all) {
    if (unknown.reply.status == 401) continue;
    co_return about(broken(unknown.what + " got status " + std::to_string(unknown.reply.status) +
                           ", expected 401"),
                    unknown.reply);
  }
  co_return passes();
}

// error_of judges the challenge of a 401 to a token that nobody gave out.
Finding error_of(const Stranger& unknown) {
  const std::optional<Challenge> bearer = bearer_challenge(unknown.reply.headers);
  const std::string to = " to " + unknown.what;
  if (!bearer) return broken("the 401" + to + " has no WWW-Authenticate for Bearer");
  const std::optional<std::string> error = bearer->param("error");
  if (!error) return risky("the challenge" + to + " has no error, expected \"invalid_token\"");
  if (*error == "invalid_token") return passes();
  return broken("the challenge" + to + " has error=\"" + clipped(*error) +
                "\", expected \"invalid_token\"");
}

Task<Finding> says_what_is_wrong(Probe& probe) {
  std::optional<Finding> none;
  const std::vector<Stranger> all = co_await refusals_of_unknown(probe, none);
  if (none) co_return *none;
  std::optional<Finding> weaker;
  for (const Stranger& unknown : all) {
    if (unknown.reply.status != 401) continue;
    Finding finding = about(error_of(unknown), unknown.reply);
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    if (!weaker || weaker->verdict == Verdict::kPass) weaker = std::move(finding);
  }
  if (!weaker) co_return not_for_it("an unknown token does not get 401");
  co_return std::move(*weaker);
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
  const Reply reply =
      co_await knock(probe, door.way, std::nullopt, behind + ("access_token=" + token));
  if (!is_taken(reply)) co_return passes();
  co_return broken("a token in the query of the address got status " +
                   std::to_string(reply.status) + ", expected 401");
}

// lets_in_without returns whether a server that is not shut has nothing to be judged by.
bool lets_in_without(const Door& door) {
  return !door.shut && (is_taken(door.refusal) || door.refusal.status == 0 || door.own_key);
}

// outside_sessions judges what a server whose opening wants a token says where neither a token nor
// a session is shown. That sessions may be missed first is not forbidden.
//
// Spec 2025-11-25, basic/transports, Session Management (400); basic/authorization, Error Handling.
Task<Finding> outside_sessions(Probe& probe) {
  for (const bool listens : {false, true}) {
    const Reply reply = co_await knock_outside(probe, listens);
    const bool fails = reply.status == 404 || reply.status == 422 || reply.status >= 500;
    const bool misses = reply.status == 400 || (!listens && fails);
    if (!misses || bearer_challenge(reply.headers)) continue;
    co_return about(
        risky((listens ? std::string("GET") : probe.survey().answered_method()) +
              " without a token and without a session got status " + std::to_string(reply.status) +
              " and no challenge, and initialize 401: clients that begin with another "
              "request, as with server/discover or GET, do not learn where to log in"),
        reply);
  }
  co_return passes();
}

Task<Finding> wants_a_token(Probe& probe) {
  const Door door = co_await try_door(probe);
  if (!door.shut && (!door.has_token || lets_in_without(door))) co_return not_for_it(door.open);
  Finding finding = co_await without_token(probe, door);
  const bool opens = finding.verdict == Verdict::kPass && door.way == Way::kOpening;
  if (opens && !probe.stateless()) finding = co_await outside_sessions(probe);
  co_return std::move(finding);
}

// malformed judges the answer to an Authorization header that cannot be read.
Task<Finding> malformed(Probe& probe, Way way) {
  const Reply reply = co_await knock(probe, way, "Bearer");
  if (reply.status != 400 && reply.status != 401 && reply.status != 0) {
    co_return broken("\"Authorization: Bearer\" without a token got status " +
                     std::to_string(reply.status) + ", expected 400 or 401");
  }
  // Whom a server knows by another scheme is its own to say.
  const Reply other = co_await knock(probe, way, "Basic cGx1bWJsaW5lOm5vYm9keQ==");
  if (other.status < 500) co_return passes();
  co_return broken("\"Authorization: Basic\" got status " + std::to_string(other.status) +
                   ", expected 401");
}

Task<Finding> tells_malformed_ones(Probe& probe) {
  const Door door = co_await try_door(probe);
  if (!door.shut) co_return not_for_it(door.open);
  co_return co_await malformed(probe, door.way);
}

Task<Finding> uses_the_status_codes(Probe& probe) {
  const Door door = co_await try_door(probe);
  if (!door.shut && (!door.has_token || lets_in_without(door))) co_return not_for_it(door.open);
  Finding finding = co_await without_token(probe, door);
  if (finding.verdict == Verdict::kPass) finding = co_await malformed(probe, door.way);
  co_return std::move(finding);
}

Task<Finding> refuses_tokens_for_others(Probe& probe) {
  const Door door = co_await try_door(probe);
  if (!door.shut) co_return not_for_it(door.open);
  const auto foreign = probe.foreign_headers().get("Authorization");
  if (!foreign) co_return not_for_it(kNoForeign);
  const Reply reply = co_await knock(probe, door.way, std::string(*foreign));
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
  const Reply usual = co_await knock(probe, door.way, "Bearer " + token);
  if (!is_taken(usual)) co_return not_for_it("the token that was given is refused");
  const Reply reply = co_await knock(probe, door.way, "bearer " + token);
  if (reply.status == 0) co_return undecided("got " + reply.describe());
  if (is_taken(reply) || (reply.status != 400 && reply.status != 401)) co_return passes();
  co_return broken("\"Authorization: bearer\" with a good token got status " +
                   std::to_string(reply.status) +
                   ", and \"Bearer\" with the same opens it: the name of a scheme has no case (RFC "
                   "9110, 11.1), and clients write it as token endpoints write token_type");
}

// names_for_query returns the names under which a token may be shown in the query. An address ends
// up in logs: that of a machine of the user's own, or of a server that asks for it (RFC 6750, 2.3).
Task<std::vector<std::string>> names_for_query(Probe& probe, Challenge bearer) {
  if (is_loopback(probe.subject().spec().url.host)) {
    co_return std::vector<std::string>{"access_token", "token"};
  }
  const ResourceMetadata metadata = co_await find_metadata(probe, std::move(bearer));
  const Json* const methods = find(metadata.document, "bearer_methods_supported");
  const bool asks = methods != nullptr && methods->is_array() &&
                    std::ranges::find(*methods, Json("query")) != methods->end();
  co_return asks ? std::vector<std::string>{"access_token"} : std::vector<std::string>();
}

// has_rpc_error returns whether a body is an error of JSON-RPC.
bool has_rpc_error(const Reply& reply) {
  const Result<Json> body = parse_json(reply.body);
  return body.ok() && find(body.value(), "jsonrpc") != nullptr &&
         find(body.value(), "error") != nullptr;
}

// Spec 2025-11-25, basic/authorization, Token Requirements. Only who takes a token elsewhere shows
// that it is good.
Task<Finding> takes_tokens_from_headers(Probe& probe) {
  const std::string token = user_token(probe);
  if (token.empty()) co_return not_for_it("no token was given (--header)");
  const Door door = co_await try_door(probe);
  if (!door.shut) co_return not_for_it(door.open);
  const Reply shown = co_await knock(probe, door.way, "Bearer " + token);
  if (is_taken(shown)) co_return passes();
  if (shown.status < 400 || shown.status >= 500 || shown.status == 429) {
    co_return undecided("a request with the token got " + shown.describe());
  }
  const wire::Url& url = probe.subject().spec().url;
  const std::string behind = url.target.find('?') == std::string::npos ? "?" : "&";
  const std::vector<std::string> names = co_await names_for_query(probe, door.bearer);
  for (const std::string& name : names) {
    const std::string unknown = wire::Form{{name, "plumbline-no-such-token"}}.text();
    const Reply stranger = co_await knock(probe, door.way, std::nullopt, behind + unknown);
    if (is_taken(stranger)) continue;
    const std::string good = wire::Form{{name, token}}.text();
    const Reply reply = co_await knock(probe, door.way, std::nullopt, behind + good);
    // Who refuses the request itself, as of another revision, has taken the token.
    const bool other =
        reply.status < 500 && reply.status != 401 && reply.status != 403 && reply.status != 429;
    const bool behind_door =
        stranger.status == 401 && other && has_rpc_error(reply) && !has_rpc_error(shown);
    if (!is_taken(reply) && !behind_door) continue;
    co_return about(broken("the user's token in the Authorization header got status " +
                           std::to_string(shown.status) + ", and in the query of the address, as " +
                           name + ", status " + std::to_string(reply.status) +
                           ": clients send it in the header alone, and never in an address, which "
                           "ends up in logs"),
                    shown);
  }
  co_return not_for_it("the token that was given is refused: " + shown.describe());
}

constexpr ServerCheck kTokenChecks[] = {
    {"auth.token-from-header", Eras::kBoth, SessionUse::kOpens, takes_tokens_from_headers},
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
