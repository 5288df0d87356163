#include "core/auth/crypto/verifying_key.h"

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>

#include <utility>

#include "core/auth/crypto/key_algorithm.h"
#include "core/base/base64.h"

namespace plumbline::auth {

namespace {

constexpr int kVerifiedRsaBitsMin = 2048;
constexpr int kVerifiedRsaBitsMax = 8192;
constexpr std::size_t kCurveBytes = 32;  // Of a number of P-256, and of a key of Ed25519.

struct FreeKey {
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(EVP_PKEY_CTX* context) const { EVP_PKEY_CTX_free(context); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  void operator()(OSSL_PARAM_BLD* builder) const { OSSL_PARAM_BLD_free(builder); }
  void operator()(OSSL_PARAM* params) const { OSSL_PARAM_free(params); }
  void operator()(BIGNUM* number) const { BN_free(number); }
  void operator()(ECDSA_SIG* pair) const { ECDSA_SIG_free(pair); }
};
using Key = std::unique_ptr<EVP_PKEY, FreeKey>;
using Number = std::unique_ptr<BIGNUM, FreeKey>;
using Builder = std::unique_ptr<OSSL_PARAM_BLD, FreeKey>;

const unsigned char* raw(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string member(const Json& jwk, const char* name) {
  return decode_base64url(string_or(jwk, name, "")).value_or("");
}

Number number_of(std::string_view bytes) {
  return Number(BN_bin2bn(raw(bytes), static_cast<int>(bytes.size()), nullptr));
}

// built returns the public key of `kind` that the parameters make, nullptr when they make none.
Key built(const char* kind, OSSL_PARAM_BLD* builder) {
  const std::unique_ptr<OSSL_PARAM, FreeKey> params(OSSL_PARAM_BLD_to_param(builder));
  const std::unique_ptr<EVP_PKEY_CTX, FreeKey> context(
      EVP_PKEY_CTX_new_from_name(nullptr, kind, nullptr));
  EVP_PKEY* key = nullptr;
  const bool made = params != nullptr && context != nullptr &&
                    EVP_PKEY_fromdata_init(context.get()) == 1 &&
                    EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, params.get()) == 1;
  return Key(made ? key : nullptr);
}

Key rsa_key(const Json& jwk) {
  const Number n = number_of(member(jwk, "n"));
  const Number e = number_of(member(jwk, "e"));
  const int bits = BN_num_bits(n.get());
  if (bits < kVerifiedRsaBitsMin || bits > kVerifiedRsaBitsMax || BN_num_bits(e.get()) > 64) {
    return nullptr;
  }
  const Builder builder(OSSL_PARAM_BLD_new());
  OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get());
  OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get());
  return built("RSA", builder.get());
}

Key ec_key(const Json& jwk) {
  const std::string x = member(jwk, "x");
  const std::string y = member(jwk, "y");
  if (x.size() != kCurveBytes || y.size() != kCurveBytes) return nullptr;
  const std::string point = "\x04" + x + y;
  const Builder builder(OSSL_PARAM_BLD_new());
  OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0);
  OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                   point.size());
  return built("EC", builder.get());
}

Key ed25519_key(const Json& jwk) {
  const std::string x = member(jwk, "x");
  if (x.size() != kCurveBytes) return nullptr;
  return Key(EVP_PKEY_new_raw_public_key_ex(nullptr, "ED25519", nullptr, raw(x), x.size()));
}

// as_der turns the two numbers of RFC 7518, 3.4 into what the library reads; empty when they are
// none.
std::string as_der(std::string_view signature) {
  if (signature.size() != 2 * kCurveBytes) return "";
  const std::unique_ptr<ECDSA_SIG, FreeKey> pair(ECDSA_SIG_new());
  ECDSA_SIG_set0(pair.get(), number_of(signature.substr(0, kCurveBytes)).release(),
                 number_of(signature.substr(kCurveBytes)).release());
  unsigned char* der = nullptr;
  const int size = i2d_ECDSA_SIG(pair.get(), &der);
  std::string out(reinterpret_cast<char*>(der), static_cast<std::size_t>(std::max(0, size)));
  OPENSSL_free(der);
  return out;
}

}  // namespace

struct VerifyingKey::State {
  std::string id;
  std::string_view algorithm;
  Key key;
};

VerifyingKey::VerifyingKey(std::unique_ptr<State> state) : state_(std::move(state)) {}
VerifyingKey::VerifyingKey(VerifyingKey&& other) noexcept = default;
VerifyingKey& VerifyingKey::operator=(VerifyingKey&& other) noexcept = default;
VerifyingKey::~VerifyingKey() = default;

Result<VerifyingKey> VerifyingKey::read(const Json& jwk) {
  const std::string kind = string_or(jwk, "kty", "");
  const std::string curve = string_or(jwk, "crv", "");
  auto state = std::make_unique<State>();
  state->id = string_or(jwk, "kid", "");
  if (kind == "RSA") state->algorithm = "RS256";
  if (kind == "EC" && curve == "P-256") state->algorithm = "ES256";
  if (kind == "OKP" && curve == "Ed25519") state->algorithm = "EdDSA";
  const bool other_use = string_or(jwk, "use", "sig") != "sig";
  if (state->algorithm.empty() || other_use ||
      string_or(jwk, "alg", state->algorithm) != state->algorithm) {
    return Error{ErrorCode::kUnsupported, "a key for something else"};
  }
  state->key = kind == "RSA" ? rsa_key(jwk) : kind == "EC" ? ec_key(jwk) : ed25519_key(jwk);
  if (state->key == nullptr) return Error{ErrorCode::kInvalidInput, "a key that is none"};
  return VerifyingKey(std::move(state));
}

Result<std::vector<VerifyingKey>> VerifyingKey::read_pem(std::string_view text) {
  const std::unique_ptr<BIO, FreeKey> bio(
      BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  std::vector<VerifyingKey> keys;
  while (keys.size() < kKeysMax) {
    auto state = std::make_unique<State>();
    state->key = Key(PEM_read_bio_PUBKEY(bio.get(), nullptr, nullptr, nullptr));
    if (state->key == nullptr) break;
    state->algorithm = algorithm_of(state->key.get());
    if (state->algorithm.empty() || EVP_PKEY_get_bits(state->key.get()) > kVerifiedRsaBitsMax) {
      return Error{
          ErrorCode::kInvalidInput,
          "it has a key that is none of RSA of 2048 to 8192 bits, EC on P-256, or Ed25519"};
    }
    keys.push_back(VerifyingKey(std::move(state)));
  }
  ERR_clear_error();  // The end of the text is one to the library.
  if (!keys.empty()) return keys;
  return Error{ErrorCode::kInvalidInput, "it has no public key in PEM"};
}

const std::string& VerifyingKey::id() const { return state_->id; }

std::string_view VerifyingKey::algorithm() const { return state_->algorithm; }

bool VerifyingKey::verifies(std::string_view text, std::string_view signature) const {
  const std::string der = state_->algorithm == "ES256" ? as_der(signature) : "";
  if (state_->algorithm == "ES256") signature = der;
  if (signature.empty()) return false;
  const EVP_MD* const digest = state_->algorithm == "EdDSA" ? nullptr : EVP_sha256();
  const std::unique_ptr<EVP_MD_CTX, FreeKey> context(EVP_MD_CTX_new());
  return EVP_DigestVerifyInit(context.get(), nullptr, digest, nullptr, state_->key.get()) == 1 &&
         EVP_DigestVerify(context.get(), raw(signature), signature.size(), raw(text),
                          text.size()) == 1;
}

Result<std::vector<VerifyingKey>> read_key_set(const Json& document) {
  const Json* const listed = find(document, "keys");
  std::vector<VerifyingKey> keys;
  if (listed != nullptr && listed->is_array()) {
    for (const Json& jwk : *listed) {
      Result<VerifyingKey> key = VerifyingKey::read(jwk);
      if (key.ok() && keys.size() < kKeysMax) keys.push_back(std::move(key).value());
    }
  }
  if (!keys.empty()) return keys;
  return Error{ErrorCode::kInvalidInput,
               "it has no key that can be used: expected \"keys\", among them RSA of 2048 bits or "
               "more, EC on P-256, or Ed25519"};
}

}  // namespace plumbline::auth
