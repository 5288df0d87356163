#include "core/base/sha256.h"

#include <openssl/evp.h>

#include "core/base/check.h"
#include "core/base/percent.h"

namespace plumbline {

namespace {

// algorithm is looked for among those of the library once, not for each text.
const EVP_MD* algorithm() {
  static const EVP_MD* const kSha256 = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return kSha256;
}

}  // namespace

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  check(EVP_DigestInit_ex(state_->context, algorithm(), nullptr) == 1, "SHA-256 is missing");
}

Sha256::~Sha256() = default;

void Sha256::update(std::string_view text) {
  check(EVP_DigestUpdate(state_->context, text.data(), text.size()) == 1, "SHA-256 update failed");
}

std::string Sha256::finish() {
  std::array<unsigned char, 32> digest{};
  check(EVP_DigestFinal_ex(state_->context, digest.data(), nullptr) == 1, "SHA-256 failed");
  check(EVP_DigestInit_ex(state_->context, algorithm(), nullptr) == 1, "SHA-256 is missing");
  return {digest.begin(), digest.end()};
}

std::string Sha256::finish_hex() { return hex_of(finish()); }

}  // namespace plumbline
