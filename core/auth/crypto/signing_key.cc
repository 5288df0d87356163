#include "core/auth/crypto/signing_key.h"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <cstddef>
#include <utility>

#include "core/auth/crypto/key_algorithm.h"
#include "core/base/base64.h"
#include "core/base/check.h"

namespace plumbline::auth {

namespace {

constexpr std::size_t kNumberBytes = 32;  // Of P-256.

struct Free {
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  void operator()(ECDSA_SIG* pair) const { ECDSA_SIG_free(pair); }
};

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

// as_two_numbers turns the signature of an EC key from DER into the form of RFC 7518, 3.4.
std::string as_two_numbers(std::string_view der) {
  const unsigned char* at = bytes_of(der);
  const std::unique_ptr<ECDSA_SIG, Free> pair(
      d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())));
  check(pair != nullptr, "a signature of ours cannot be read");
  std::string out(2 * kNumberBytes, '\0');
  const int half = static_cast<int>(kNumberBytes);
  BN_bn2binpad(ECDSA_SIG_get0_r(pair.get()), bytes_of(out), half);
  BN_bn2binpad(ECDSA_SIG_get0_s(pair.get()), bytes_of(out) + kNumberBytes, half);
  return out;
}

// Nobody is asked for a passphrase.
int no_passphrase(char* /*into*/, int /*size*/, int /*writing*/, void* /*unused*/) { return -1; }

}  // namespace

struct SigningKey::State {
  std::unique_ptr<EVP_PKEY, Free> key;
  std::string_view algorithm;
};

SigningKey::SigningKey(std::unique_ptr<State> state) : state_(std::move(state)) {}
SigningKey::SigningKey(SigningKey&& other) noexcept = default;
SigningKey& SigningKey::operator=(SigningKey&& other) noexcept = default;
SigningKey::~SigningKey() = default;

Result<SigningKey> SigningKey::read(std::string_view pem) {
  const std::unique_ptr<BIO, Free> bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  auto state = std::make_unique<State>();
  state->key.reset(PEM_read_bio_PrivateKey(bio.get(), nullptr, no_passphrase, nullptr));
  if (state->key != nullptr) state->algorithm = algorithm_of(state->key.get());
  if (state->algorithm.empty()) {
    return Error{ErrorCode::kInvalidInput,
                 "it holds no private key that can sign: expected PEM without a passphrase, RSA of "
                 "2048 bits or more, EC on P-256, or Ed25519"};
  }
  return SigningKey(std::move(state));
}

std::string_view SigningKey::algorithm() const { return state_->algorithm; }

std::string SigningKey::sign(const Json& claims, const Json& type) const {
  const Json header = {{"alg", std::string(state_->algorithm)}, {"typ", type}};
  const std::string text =
      encode_base64url(dump_json(header)) + "." + encode_base64url(dump_json(claims));
  const EVP_MD* const digest = state_->algorithm == "EdDSA" ? nullptr : EVP_sha256();
  const std::unique_ptr<EVP_MD_CTX, Free> context(EVP_MD_CTX_new());
  check(EVP_DigestSignInit(context.get(), nullptr, digest, nullptr, state_->key.get()) == 1,
        "a key that was read cannot sign");
  std::size_t size = 0;
  check(EVP_DigestSign(context.get(), nullptr, &size, bytes_of(text), text.size()) == 1,
        "the length of a signature is unknown");
  std::string signature(size, '\0');
  check(EVP_DigestSign(context.get(), bytes_of(signature), &size, bytes_of(text), text.size()) == 1,
        "a key that was read does not sign");
  signature.resize(size);
  if (state_->algorithm == "ES256") signature = as_two_numbers(signature);
  return text + "." + encode_base64url(signature);
}

}  // namespace plumbline::auth
