#include "core/auth/crypto/signing_key.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include <string>

#include <gtest/gtest.h>

#include "core/auth/crypto/test_keys_fixture.h"
#include "core/base/base64.h"

namespace plumbline::auth {
namespace {

// verified has OpenSSL judge a token: the signature of ES256 is turned back into DER for it.
bool verified(EVP_PKEY* key, const std::string& token, const EVP_MD* digest) {
  const std::size_t dot = token.rfind('.');
  const std::string text = token.substr(0, dot);
  std::string signature = decode_base64url(token.substr(dot + 1)).value_or("");
  if (EVP_PKEY_is_a(key, "EC") == 1) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(signature.data());
    ECDSA_SIG* const pair = ECDSA_SIG_new();
    ECDSA_SIG_set0(pair, BN_bin2bn(bytes, 32, nullptr), BN_bin2bn(bytes + 32, 32, nullptr));
    unsigned char* der = nullptr;
    const int size = i2d_ECDSA_SIG(pair, &der);
    signature.assign(reinterpret_cast<char*>(der), static_cast<std::size_t>(size));
    OPENSSL_free(der);
    ECDSA_SIG_free(pair);
  }
  EVP_MD_CTX* const context = EVP_MD_CTX_new();
  EVP_DigestVerifyInit(context, nullptr, digest, nullptr, key);
  const int good = EVP_DigestVerify(
      context, reinterpret_cast<const unsigned char*>(signature.data()), signature.size(),
      reinterpret_cast<const unsigned char*>(text.data()), text.size());
  EVP_MD_CTX_free(context);
  return good == 1;
}

void expect_signs(EVP_PKEY* key, const char* algorithm, const EVP_MD* digest) {
  const Result<SigningKey> read = SigningKey::read(private_pem(key));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().algorithm(), algorithm);
  const std::string token = read.value().sign({{"sub", "we"}});
  EXPECT_EQ(decode_base64url(token.substr(0, token.find('.'))),
            "{\"alg\":\"" + std::string(algorithm) + "\",\"typ\":\"JWT\"}");
  EXPECT_TRUE(verified(key, token, digest)) << algorithm;
  EVP_PKEY_free(key);
}

TEST(SigningKeyTest, WhatIsSignedIsVerifiedByTheLibrary) {
  expect_signs(EVP_RSA_gen(2048), "RS256", EVP_sha256());
  expect_signs(EVP_EC_gen("P-256"), "ES256", EVP_sha256());
  expect_signs(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"), "EdDSA", nullptr);
}

TEST(SigningKeyTest, WhatCannotSignIsRefusedWithoutShowingIt) {
  const auto pem_and_free = [](EVP_PKEY* key) {
    std::string pem = private_pem(key);
    EVP_PKEY_free(key);
    return pem;
  };
  const std::string weak = pem_and_free(EVP_RSA_gen(1024));
  for (const std::string& pem :
       {weak, pem_and_free(EVP_EC_gen("P-384")), std::string("secret-key"), std::string()}) {
    const Result<SigningKey> read = SigningKey::read(pem);
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().message.find("secret-key"), std::string::npos);
  }
}

}  // namespace
}  // namespace plumbline::auth
