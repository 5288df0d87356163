#include "core/auth/crypto/test_keys_fixture.h"

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <array>

#include "core/base/base64.h"
#include "core/base/check.h"

namespace plumbline::auth {

std::string private_pem(EVP_PKEY* key) {
  BIO* const bio = BIO_new(BIO_s_mem());
  PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr);
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio, &text);
  std::string pem(text, static_cast<std::size_t>(size));
  BIO_free(bio);
  return pem;
}

namespace {

std::string number_in(EVP_PKEY* key, const char* name, int size) {
  BIGNUM* number = nullptr;
  EVP_PKEY_get_bn_param(key, name, &number);
  std::string bytes(static_cast<std::size_t>(size > 0 ? size : BN_num_bytes(number)), '\0');
  BN_bn2binpad(number, reinterpret_cast<unsigned char*>(bytes.data()),
               static_cast<int>(bytes.size()));
  BN_free(number);
  return encode_base64url(bytes);
}

struct Pair {
  SigningKey key;
  Json jwk;
};

Pair pair_of(EVP_PKEY* key, Json jwk) {
  Result<SigningKey> read = SigningKey::read(private_pem(key));
  EVP_PKEY_free(key);
  jwk["kid"] = "a key of " + std::string(read.value().algorithm());
  return {std::move(read).value(), std::move(jwk)};
}

Pair rsa_pair() {
  EVP_PKEY* const key = EVP_RSA_gen(2048);
  Json jwk = {{"kty", "RSA"},
              {"n", number_in(key, OSSL_PKEY_PARAM_RSA_N, 0)},
              {"e", number_in(key, OSSL_PKEY_PARAM_RSA_E, 0)}};
  return pair_of(key, std::move(jwk));
}

Pair ec_pair() {
  EVP_PKEY* const key = EVP_EC_gen("P-256");
  Json jwk = {{"kty", "EC"},
              {"crv", "P-256"},
              {"x", number_in(key, OSSL_PKEY_PARAM_EC_PUB_X, 32)},
              {"y", number_in(key, OSSL_PKEY_PARAM_EC_PUB_Y, 32)}};
  return pair_of(key, std::move(jwk));
}

Pair ed_pair() {
  EVP_PKEY* const key = EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519");
  std::array<unsigned char, 32> bytes{};
  std::size_t size = bytes.size();
  EVP_PKEY_get_raw_public_key(key, bytes.data(), &size);
  Json jwk = {{"kty", "OKP"},
              {"crv", "Ed25519"},
              {"x", encode_base64url(std::string(bytes.begin(), bytes.end()))}};
  return pair_of(key, std::move(jwk));
}

const std::array<Pair, 3>& pairs() {
  static const std::array<Pair, 3> made = {rsa_pair(), ec_pair(), ed_pair()};
  return made;
}

}  // namespace

const SigningKey& signing_key(std::string_view algorithm) {
  for (const Pair& pair : pairs()) {
    if (pair.key.algorithm() == algorithm) return pair.key;
  }
  check(false, "no key of this kind");
  return pairs()[0].key;
}

const SigningKey& foreign_key() {
  static const Pair other = ec_pair();
  return other.key;
}

Json key_set() {
  Json keys = Json::array({{{"kty", "oct"}, {"k", "c2VjcmV0"}}});
  for (const Pair& pair : pairs()) keys.push_back(pair.jwk);
  return {{"keys", keys}};
}

}  // namespace plumbline::auth
