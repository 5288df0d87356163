// Keys for tests: a pair of each kind, made once.

#pragma once

#include <openssl/types.h>

#include <string>
#include <string_view>

#include "core/auth/crypto/signing_key.h"
#include "core/json/json.h"

namespace plumbline::auth {

// signing_key returns the private key of RS256, ES256 or EdDSA; key_set the JWK Set of all three.
// foreign_key is one that is not in it, of ES256.
const SigningKey& signing_key(std::string_view algorithm);
const SigningKey& foreign_key();
Json key_set();

// private_pem returns the text of a private key.
std::string private_pem(EVP_PKEY* key);

}  // namespace plumbline::auth
