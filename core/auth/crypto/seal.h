// Seal encrypts bytes with what a person remembers, or a file holds, so that nobody else can read
// or change them: scrypt makes the key, AES-256-GCM does the rest.
//
// Source: RFC 7914; NIST SP 800-38D.

#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace plumbline::auth {

class Seal {
 public:
  static constexpr std::size_t kSaltBytes = 16;
  static constexpr std::size_t kNonceBytes = 12;

  // Takes about a tenth of a second and 32 MiB, whoever guesses needs as much for each guess.
  // `salt` has kSaltBytes.
  Seal(std::string_view passphrase, std::string_view salt);
  ~Seal();
  Seal(const Seal&) = delete;
  Seal& operator=(const Seal&) = delete;

  // close returns `plain` encrypted, with its tag behind. `nonce` has kNonceBytes and is never used
  // again with this salt. `label` is what open() has to be told as well.
  std::string close(std::string_view plain, std::string_view nonce, std::string_view label) const;

  // open returns what was closed. Nothing: another passphrase, salt, nonce or label, or a byte that
  // was changed.
  std::optional<std::string> open(std::string_view closed, std::string_view nonce,
                                  std::string_view label) const;

 private:
  std::array<unsigned char, 32> key_{};
};

}  // namespace plumbline::auth
