// VerifyingKey judges the signatures of JSON Web Tokens by a public key, as OpenSSL does.
//
// Source: RFC 7515, RFC 7517, RFC 7518, RFC 8037.

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/json/json.h"

namespace plumbline::auth {

inline constexpr std::size_t kKeysMax = 64;  // Of one document.

class VerifyingKey {
 public:
  // read takes one key of a JWK Set: RSA of 2048 to 8192 bits, EC on P-256, or Ed25519.
  // kUnsupported: it is of another kind, or not for signatures; kInvalidInput: it is no key.
  static Result<VerifyingKey> read(const Json& jwk);

  // read_pem takes the public keys of a text in PEM ("BEGIN PUBLIC KEY"), at most kKeysMax: of the
  // same kinds, without a "kid". kInvalidInput: there is none, or one that is none of these.
  static Result<std::vector<VerifyingKey>> read_pem(std::string_view text);

  VerifyingKey(VerifyingKey&& other) noexcept;
  VerifyingKey& operator=(VerifyingKey&& other) noexcept;
  ~VerifyingKey();

  // id returns its "kid", empty when it has none. algorithm returns RS256, ES256 or EdDSA: the only
  // one that it is good for, whatever a token says.
  const std::string& id() const;
  std::string_view algorithm() const;

  // verifies returns whether `signature` is that of `text` by the private half of this key.
  bool verifies(std::string_view text, std::string_view signature) const;

 private:
  struct State;
  explicit VerifyingKey(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// read_key_set returns the keys of a JWK Set (RFC 7517, section 5) that can be used, at most
// kKeysMax. kInvalidInput: it is none, or has none of those.
Result<std::vector<VerifyingKey>> read_key_set(const Json& document);

}  // namespace plumbline::auth
