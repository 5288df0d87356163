#include "core/auth/crypto/verifying_key.h"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <string>

#include <gtest/gtest.h>

#include "core/auth/crypto/signing_key.h"
#include "core/auth/crypto/test_keys_fixture.h"
#include "core/base/base64.h"

namespace plumbline::auth {
namespace {

std::string public_pem(EVP_PKEY* key) {
  BIO* const bio = BIO_new(BIO_s_mem());
  PEM_write_bio_PUBKEY(bio, key);
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio, &text);
  std::string pem(text, static_cast<std::size_t>(size));
  BIO_free(bio);
  return pem;
}

// Both halves of a key, as texts.
struct Halves {
  explicit Halves(EVP_PKEY* key) : secret(private_pem(key)), open(public_pem(key)) {
    EVP_PKEY_free(key);
  }
  std::string secret;
  std::string open;
};

bool verifies(const VerifyingKey& key, const std::string& token) {
  const std::size_t dot = token.rfind('.');
  return key.verifies(token.substr(0, dot), decode_base64url(token.substr(dot + 1)).value());
}

TEST(VerifyingKeyTest, EachKeyOfAPemTextVerifiesWhatItsOwnHalfSigns) {
  const Halves halves[] = {Halves(EVP_RSA_gen(2048)), Halves(EVP_EC_gen("P-256")),
                           Halves(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"))};
  std::string text = "Keys of an issuer.\n";
  for (const Halves& one : halves) text += one.open + "\n";
  const Result<std::vector<VerifyingKey>> keys = VerifyingKey::read_pem(text);
  ASSERT_TRUE(keys.ok()) << keys.error().message;
  ASSERT_EQ(keys.value().size(), 3U);
  const char* const algorithms[] = {"RS256", "ES256", "EdDSA"};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string token = SigningKey::read(halves[i].secret).value().sign({{"sub", "we"}});
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(verifies(keys.value()[k], token), i == k);
    EXPECT_EQ(keys.value()[i].algorithm(), algorithms[i]);
    EXPECT_EQ(keys.value()[i].id(), "");
  }
}

TEST(VerifyingKeyTest, WhatIsNoPublicKeyOfOursIsRefused) {
  const Halves good(EVP_RSA_gen(2048));
  const Halves weak(EVP_RSA_gen(1024));
  const Halves other(EVP_EC_gen("P-384"));
  for (const std::string& text : {std::string(), good.secret, weak.open, other.open,
                                  good.open + weak.open, good.open.substr(0, 80)}) {
    const Result<std::vector<VerifyingKey>> keys = VerifyingKey::read_pem(text);
    ASSERT_FALSE(keys.ok()) << text;
    EXPECT_EQ(keys.error().message.find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace plumbline::auth
