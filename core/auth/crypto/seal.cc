#include "core/auth/crypto/seal.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <cstdint>
#include <memory>

#include "core/base/check.h"

namespace plumbline::auth {

namespace {

constexpr std::uint64_t kScryptN = 1U << 15U;
constexpr std::uint64_t kScryptR = 8;
constexpr std::uint64_t kScryptP = 1;
constexpr std::uint64_t kScryptBytesMax = 64U << 20U;
constexpr int kTagBytes = 16;

struct FreeCipher {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Cipher = std::unique_ptr<EVP_CIPHER_CTX, FreeCipher>;

const unsigned char* octets(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* octets(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

}  // namespace

Seal::Seal(std::string_view passphrase, std::string_view salt) {
  check(salt.size() == kSaltBytes, "a salt of another length");
  check(EVP_PBE_scrypt(passphrase.data(), passphrase.size(), octets(salt), salt.size(), kScryptN,
                       kScryptR, kScryptP, kScryptBytesMax, key_.data(), key_.size()) == 1,
        "scrypt is missing");
}

Seal::~Seal() { OPENSSL_cleanse(key_.data(), key_.size()); }

std::string Seal::close(std::string_view plain, std::string_view nonce,
                        std::string_view label) const {
  check(nonce.size() == kNonceBytes, "a nonce of another length");
  const Cipher cipher(EVP_CIPHER_CTX_new());
  std::string closed(plain.size() + kTagBytes, '\0');
  int size = 0;
  bool done =
      EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key_.data(), octets(nonce)) == 1;
  done = done && EVP_EncryptUpdate(cipher.get(), nullptr, &size, octets(label),
                                   static_cast<int>(label.size())) == 1;
  done = done && EVP_EncryptUpdate(cipher.get(), octets(closed), &size, octets(plain),
                                   static_cast<int>(plain.size())) == 1;
  done = done && EVP_EncryptFinal_ex(cipher.get(), octets(closed) + size, &size) == 1;
  done = done && EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_GET_TAG, kTagBytes,
                                     octets(closed) + plain.size()) == 1;
  check(done, "AES-256-GCM is missing");
  return closed;
}

std::optional<std::string> Seal::open(std::string_view closed, std::string_view nonce,
                                      std::string_view label) const {
  if (closed.size() < kTagBytes || nonce.size() != kNonceBytes) return std::nullopt;
  std::string tag(closed.substr(closed.size() - kTagBytes));
  closed.remove_suffix(kTagBytes);
  const Cipher cipher(EVP_CIPHER_CTX_new());
  std::string plain(closed.size() + 1, '\0');
  int size = 0;
  bool done =
      EVP_DecryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key_.data(), octets(nonce)) == 1;
  done = done && EVP_DecryptUpdate(cipher.get(), nullptr, &size, octets(label),
                                   static_cast<int>(label.size())) == 1;
  done = done && EVP_DecryptUpdate(cipher.get(), octets(plain), &size, octets(closed),
                                   static_cast<int>(closed.size())) == 1;
  done =
      done && EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_SET_TAG, kTagBytes, octets(tag)) == 1;
  done = done && EVP_DecryptFinal_ex(cipher.get(), octets(plain) + size, &size) == 1;
  if (!done) return std::nullopt;
  plain.pop_back();
  return plain;
}

}  // namespace plumbline::auth
