// What a key of OpenSSL signs JSON Web Tokens with.
//
// Source: RFC 7518, section 3; RFC 8037, section 3.1.

#pragma once

#include <openssl/types.h>

#include <string_view>

namespace plumbline::auth {

// algorithm_of returns RS256 for RSA of at least 2048 bits, ES256 for EC on P-256, EdDSA for
// Ed25519, and nothing for any other key.
std::string_view algorithm_of(const EVP_PKEY* key);

}  // namespace plumbline::auth
