// SHA-256 over text that arrives in pieces (FIPS 180-4), by OpenSSL.

#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

namespace plumbline {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void update(std::string_view text);

  // finish returns the 32 bytes of the digest of all updates and starts anew.
  std::string finish();

  // finish_hex returns the digest of all updates as 64 lower-case hex digits and starts anew.
  std::string finish_hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plumbline
