// TokenJudge says whether an access token that somebody shows is good.

#pragma once

#include <string>

#include "core/auth/admission/access_token.h"
#include "core/base/result.h"
#include "core/base/task.h"

namespace plumbline::auth {

class TokenJudge {
 public:
  // judge returns what `token` says when it is good by `rules` now. kInvalidInput: it is not; the
  // message says why in one line, and holds nothing of the token. kDisconnected: who could tell
  // cannot be asked, and why. kLimitReached: `caller`, who shows it (see wire::network_of), has
  // shown too many at once.
  virtual Task<Result<AccessToken>> judge(std::string token, TokenRules rules,
                                          std::string caller) = 0;

 protected:
  ~TokenJudge() = default;
};

}  // namespace plumbline::auth
