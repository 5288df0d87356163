// AccessToken is a token that somebody shows to us, once it was found to be good.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/auth/crypto/verifying_key.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/json/json.h"

namespace plumbline::auth {

// TokenRules is what a token has to say to be taken.
struct TokenRules {
  std::string issuer;    // "iss", letter by letter.
  std::string audience;  // Among "aud": us.
};

struct AccessToken {
  std::string subject;
  std::string client;  // Whom it was given to.
  std::vector<std::string> scopes;
  std::optional<Duration> ends;  // Since 1970; nothing: it does not say.
};

// principal_of names whose token it is, empty when it does not say: its subject, or else the client
// that acts for itself. No subject names a client.
//
// Source: RFC 9068, section 5 (a client must not pass for a user).
std::string principal_of(const AccessToken& token);

// Claims is who says what a token is: itself, by a signature, or who gave it out, being asked.
enum class Claims { kSigned, kIntrospected };

// read_claims returns what `claims` say of a token that is good at `since_1970`, by a minute more
// or less. kInvalidInput: it is not, and why. All have to name the audience; those that are signed
// the issuer and the end as well, and of others neither may be a wrong one.
//
// Source: RFC 9068, section 4; RFC 7662, section 2.2. Spec 2025-06-18, basic/authorization, Token
// Handling (MUST validate the audience).
Result<AccessToken> read_claims(const Json& claims, const TokenRules& rules, Claims kind,
                                Duration since_1970);

// judge_token returns what `token` says when one of `keys` has signed it and it is good at
// `since_1970`, by a minute more or less. kInvalidInput: it is not; the message says why, and holds
// nothing of the token. The algorithm is the key's: "none", or a public key taken for a secret, is
// no signature.
//
// Source: RFC 7519, RFC 8725.
Result<AccessToken> judge_token(std::string_view token, const std::vector<VerifyingKey>& keys,
                                const TokenRules& rules, Duration since_1970);

}  // namespace plumbline::auth
