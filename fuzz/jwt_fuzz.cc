// Any bytes as an access token that somebody shows to us, and as the claims of one. What is taken
// is what the keys below have signed, letter by letter; claims that are taken name us.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/auth/admission/access_token.h"
#include "core/auth/admission/introspection.h"
#include "core/base/check.h"
#include "core/json/json.h"

namespace {

using namespace plumbline;

constexpr Duration kTokenTime = std::chrono::seconds(1'800'000'000);

const auth::TokenRules& token_rules() {
  static const auth::TokenRules rules = {"https://login.example", "https://mcp.example/mcp"};
  return rules;
}

// The public halves of keys whose private ones are gone: they have signed what is in corpus/jwt.
const std::vector<auth::VerifyingKey>& token_keys() {
  static const Result<std::vector<auth::VerifyingKey>> keys = [] {
    return auth::read_key_set(
        parse_json(R"({"keys": [
      {"kty": "RSA", "e": "AQAB", "kid": "RS256", "n":
       "o-QELGAaJguYwlBdW-unjPWoUBag944qg5o0SOC3gNVP3i7W0Nuc5TyCgh_TDoysewzylxiNdKwjMYMm9kp5Y7wBr)"
                   R"(-Q8nPyi1LMujMBLC0Fdfz054yW1essW33leHFLRJZ5yDk2DOaK5eTvwj)"
                   R"(BjvJPhTAiN1SsKG1lfqHMPCkDdtEPs-pA1LK7kdQZ2zzF500cRbB8Yh1)"
                   R"(ZYHuicU9RGzv2w0j9-agsleklXIEA8hOZ_wDC3McbqiU1DI2zieO3MJH)"
                   R"(1OISx9DfQLI9E6kKKQWBr7ONRq56Jo71inyOxDTPi3zClQ7mAMSErJGG)"
                   R"(LubruBdlltr2gdK6Cn5BK09HG4F6Q"},
      {"kty": "EC", "crv": "P-256", "kid": "ES256",
       "x": "A93R9GtNApNRqGKtN4hUgSgsUFayViRq41LICtBBLYg",
       "y": "2q4DdDOvaZ_KkQ6pB5VOLoJqKQHw379U_BX63cl4pUc"},
      {"kty": "OKP", "crv": "Ed25519", "kid": "EdDSA",
       "x": "cuVOpjlybhAdNqw5gqZeY4fqy0FdEkAxo6vG0jZVZKk"}]})")
            .value());
  }();
  check(keys.ok() && keys.value().size() == 3, "the keys of the target are keys");
  return keys.value();
}

void check_token(std::string_view text) {
  const auto token = auth::judge_token(text, token_keys(), token_rules(), kTokenTime);
  if (!token.ok()) return;
  const std::vector<std::string> scopes = {"read", "write"};
  check(token.value().subject == "a" && token.value().scopes == scopes &&
            token.value().ends == std::chrono::seconds(4'000'000'000),
        "a token is taken that nobody has signed");
}

bool names_us(const Json& claims) {
  const Json* const audience = find(claims, "aud");
  if (audience == nullptr) return false;
  if (audience->is_string()) return *audience == token_rules().audience;
  return audience->is_array() && std::ranges::count(*audience, Json(token_rules().audience)) > 0;
}

void check_claims(const Json& claims) {
  using auth::Claims;
  const auto one = auth::read_claims(claims, token_rules(), Claims::kSigned, kTokenTime);
  const auto other = auth::read_claims(claims, token_rules(), Claims::kIntrospected, kTokenTime);
  if (one.ok()) check(string_or(claims, "iss", "") == token_rules().issuer, "of another issuer");
  if (one.ok()) check(other.ok(), "what is good when signed is good when asked about");
  if (other.ok()) check(names_us(claims), "claims are taken that do not name us");
  if (other.ok() && find(claims, "sub") == nullptr) {
    check(!auth::principal_of(other.value()).starts_with("user "), "a client passes for a user");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_token(text);
  wire::HttpResponse answer;
  answer.status = 200;
  answer.body = std::string(text);
  const auto told = auth::read_introspection(answer, token_rules(), kTokenTime);
  const Result<Json> claims = parse_json(text);
  if (!claims.ok() || !claims.value().is_object()) return 0;
  check_claims(claims.value());
  if (told.ok()) check(bool_or(claims.value(), "active", false), "a token that is not active");
  return 0;
}
