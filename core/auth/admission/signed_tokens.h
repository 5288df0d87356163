// SignedTokens judges JSON Web Tokens by the keys of their issuer.

#pragma once

#include <string>

#include "core/auth/admission/key_source.h"
#include "core/auth/admission/token_judge.h"
#include "core/base/doors/wall_clock.h"

namespace plumbline::auth {

class SignedTokens final : public TokenJudge {
 public:
  // Both must outlive it.
  SignedTokens(KeySource& keys, const WallClock& clock) : keys_(keys), clock_(clock) {}

  // implements TokenJudge --- A key that we do not know yet may be a new one: they are asked for.
  Task<Result<AccessToken>> judge(std::string token, TokenRules rules, std::string caller) override;

 private:
  KeySource& keys_;
  const WallClock& clock_;
};

}  // namespace plumbline::auth
