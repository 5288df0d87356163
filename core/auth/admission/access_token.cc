#include "core/auth/admission/access_token.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include "core/auth/steps/metadata.h"
#include "core/base/base64.h"
#include "core/base/text.h"

namespace plumbline::auth {

namespace {

constexpr std::size_t kTokenBytesMax = 16U << 10U;
constexpr std::int64_t kLeewaySeconds = 60;

Error bad_token(const char* why) { return Error{ErrorCode::kInvalidInput, why}; }

// json_part reads one of the parts of a token.
Result<Json> json_part(std::string_view part) {
  const std::optional<std::string> text = decode_base64url(part);
  if (!text) return bad_token("a part of it is no base64");
  Result<Json> json = parse_json(*text);
  if (json.ok() && json.value().is_object()) return json;
  return bad_token("a part of it is no JSON object");
}

// seconds_since_1970 bounds what a Duration could not hold.
Duration seconds_since_1970(std::int64_t seconds) {
  constexpr std::int64_t kSecondsMax = std::int64_t{1} << 33;
  return std::chrono::seconds(std::clamp<std::int64_t>(seconds, 0, kSecondsMax));
}

bool names_audience(const Json& claims, const std::string& audience) {
  const Json* const said = find(claims, "aud");
  if (said == nullptr) return false;
  if (said->is_string()) return *said == audience;
  return said->is_array() && std::ranges::find(*said, Json(audience)) != said->end();
}

// Moment is a time that a token says, in seconds since 1970; with a fraction, what is earlier.
struct Moment {
  bool said = false;
  std::optional<std::int64_t> seconds;  // Nothing: it is no number.
};

// Source: RFC 7519, section 2, NumericDate.
Moment moment_in(const Json& claims, const char* name) {
  constexpr double kSecondsMax = 1e15;
  const Json* const said = find(claims, name);
  if (said == nullptr) return {};
  if (!said->is_number()) return {true, std::nullopt};
  const double seconds = std::clamp(said->get<double>(), -kSecondsMax, kSecondsMax);
  return {true, static_cast<std::int64_t>(std::floor(seconds))};
}

// is_access_token_type returns whether "typ" may be that of an access token. RFC 9068 has at+jwt;
// JWT is what servers write that are older, and many write nothing. Others are of tokens that
// were not made to be shown to us.
//
// Source: RFC 8725, section 3.11.
bool is_access_token_type(const Json& header) {
  const Json* const type = find(header, "typ");
  if (type == nullptr) return true;
  if (!type->is_string()) return false;
  std::string_view name = *type->get_ptr<const std::string*>();
  constexpr std::string_view kPrefix = "application/";
  if (equals_ignoring_case(name.substr(0, kPrefix.size()), kPrefix)) {
    name.remove_prefix(kPrefix.size());
  }
  return equals_ignoring_case(name, "at+jwt") || equals_ignoring_case(name, "JWT");
}

}  // namespace

Result<AccessToken> read_claims(const Json& claims, const TokenRules& rules, Claims kind,
                                Duration since_1970) {
  const std::int64_t now = std::chrono::duration_cast<std::chrono::seconds>(since_1970).count();
  const bool is_signed = kind == Claims::kSigned;
  const Json* const issuer = find(claims, "iss");
  const Moment end = moment_in(claims, "exp");
  const std::optional<std::int64_t> ends = end.seconds;
  const bool says_end = is_signed || end.said;
  const Moment begin = moment_in(claims, "nbf");
  if (issuer == nullptr ? is_signed : *issuer != Json(rules.issuer)) {
    return bad_token("it is of another issuer");
  }
  if (!names_audience(claims, rules.audience)) return bad_token("it is for another resource");
  if (says_end && !ends) return bad_token("it does not say when it ends");
  if (ends && *ends < now - kLeewaySeconds) return bad_token("it has ended");
  if (begin.said && !begin.seconds) return bad_token("it does not say when it begins");
  if (begin.seconds.value_or(0) > now + kLeewaySeconds) return bad_token("it is not good yet");
  AccessToken token{string_or(claims, "sub", ""), string_or(claims, "client_id", ""),
                    split_scope(string_or(claims, "scope", "")), std::nullopt};
  if (ends) token.ends = seconds_since_1970(*ends);
  return token;
}

std::string principal_of(const AccessToken& token) {
  if (!token.subject.empty()) return "user " + token.subject;
  return token.client.empty() ? "" : "client " + token.client;
}

Result<AccessToken> judge_token(std::string_view token, const std::vector<VerifyingKey>& keys,
                                const TokenRules& rules, Duration since_1970) {
  if (token.size() > kTokenBytesMax) return bad_token("it is too long");
  const std::size_t first = token.find('.');
  const std::size_t last = token.rfind('.');
  if (first == last || token.find('.', first + 1) != last)
    return bad_token("it is no signed token");
  const Result<Json> header = json_part(token.substr(0, first));
  if (!header.ok()) return header.error();
  if (find(header.value(), "crit") != nullptr)
    return bad_token("it wants what nobody knows (crit)");
  if (!is_access_token_type(header.value())) return bad_token("it is no access token (typ)");
  const std::optional<std::string> signature = decode_base64url(token.substr(last + 1));
  const std::string algorithm = string_or(header.value(), "alg", "");
  const std::optional<std::string> id = find_string(header.value(), "kid");
  const bool is_signed = signature && std::ranges::any_of(keys, [&](const VerifyingKey& key) {
                           const bool meant = !id || key.id().empty() || key.id() == *id;
                           return meant && key.algorithm() == algorithm &&
                                  key.verifies(token.substr(0, last), *signature);
                         });
  if (!is_signed) return bad_token("none of the keys has signed it");
  const Result<Json> claims = json_part(token.substr(first + 1, last - first - 1));
  if (!claims.ok()) return claims.error();
  return read_claims(claims.value(), rules, Claims::kSigned, since_1970);
}

}  // namespace plumbline::auth
