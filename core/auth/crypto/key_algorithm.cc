#include "core/auth/crypto/key_algorithm.h"

#include <openssl/evp.h>

#include <array>
#include <cstddef>

namespace plumbline::auth {

namespace {

constexpr int kRsaBitsMin = 2048;

}  // namespace

std::string_view algorithm_of(const EVP_PKEY* key) {
  if (EVP_PKEY_is_a(key, "ED25519") == 1) return "EdDSA";
  if (EVP_PKEY_is_a(key, "RSA") == 1) return EVP_PKEY_get_bits(key) >= kRsaBitsMin ? "RS256" : "";
  std::array<char, 80> group{};
  std::size_t size = 0;
  const bool named = EVP_PKEY_is_a(key, "EC") == 1 &&
                     EVP_PKEY_get_group_name(key, group.data(), group.size(), &size) == 1;
  return named && std::string_view(group.data(), size) == "prime256v1" ? "ES256" : "";
}

}  // namespace plumbline::auth
