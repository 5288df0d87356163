// AccessToken is a JSON Web Token that somebody shows to us, once it was found to be good.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/auth/crypto/verifying_key.h"
#include "core/base/result.h"
#include "core/base/time.h"

namespace plumbline::auth {

// TokenRules is what a token has to say to be taken.
struct TokenRules {
  std::string issuer;    // "iss", letter by letter.
  std::string audience;  // Among "aud": us.
};

struct AccessToken {
  std::string subject;
  std::vector<std::string> scopes;
};

// judge_token returns what `token` says when one of `keys` has signed it and it is good at
// `since_1970`, by a minute more or less. kInvalidInput: it is not; the message says why, and holds
// nothing of the token. The algorithm is the key's: "none", or a public key taken for a secret, is
// no signature.
//
// Source: RFC 7519, RFC 8725; RFC 9068, section 4. Spec 2025-06-18, basic/authorization, Token
// Handling (MUST validate the audience).
Result<AccessToken> judge_token(std::string_view token, const std::vector<VerifyingKey>& keys,
                                const TokenRules& rules, Duration since_1970);

}  // namespace plumbline::auth
