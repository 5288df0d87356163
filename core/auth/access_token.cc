#include "core/auth/access_token.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "core/auth/steps/metadata.h"
#include "core/base/base64.h"

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

bool names_audience(const Json& claims, const std::string& audience) {
  const Json* const said = find(claims, "aud");
  if (said == nullptr) return false;
  if (said->is_string()) return *said == audience;
  return said->is_array() && std::ranges::find(*said, Json(audience)) != said->end();
}

Status check_claims(const Json& claims, const TokenRules& rules, Duration since_1970) {
  const std::int64_t now = std::chrono::duration_cast<std::chrono::seconds>(since_1970).count();
  const std::optional<std::int64_t> ends = find_int(claims, "exp");
  if (string_or(claims, "iss", "") != rules.issuer) return bad_token("it is of another issuer");
  if (!names_audience(claims, rules.audience)) return bad_token("it is for another resource");
  if (!ends) return bad_token("it does not say when it ends");
  if (*ends < now - kLeewaySeconds) return bad_token("it has ended");
  if (int_or(claims, "nbf", 0) > now + kLeewaySeconds) return bad_token("it is not good yet");
  return Done();
}

}  // namespace

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
  const Status good = check_claims(claims.value(), rules, since_1970);
  if (!good.ok()) return good.error();
  return AccessToken{string_or(claims.value(), "sub", ""),
                     split_scope(string_or(claims.value(), "scope", ""))};
}

}  // namespace plumbline::auth
