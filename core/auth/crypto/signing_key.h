// SigningKey signs JSON Web Tokens with a private key, as OpenSSL does.
//
// Source: RFC 7515, RFC 7518, RFC 8037.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/json/json.h"

namespace plumbline::auth {

class SigningKey {
 public:
  // read takes a private key in PEM without a passphrase: RSA of at least 2048 bits, EC on P-256,
  // or Ed25519. kInvalidInput: it is none of these. The message never holds any of it.
  static Result<SigningKey> read(std::string_view pem);

  SigningKey(SigningKey&& other) noexcept;
  SigningKey& operator=(SigningKey&& other) noexcept;
  ~SigningKey();

  // algorithm returns RS256, ES256 or EdDSA.
  std::string_view algorithm() const;

  // sign returns the token of `claims`, in its compact form. `type` is its "typ".
  std::string sign(const Json& claims, const Json& type = "JWT") const;

 private:
  struct State;
  explicit SigningKey(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace plumbline::auth
