#include "core/auth/admission/signed_tokens.h"

namespace plumbline::auth {

Task<Result<AccessToken>> SignedTokens::judge(std::string token, TokenRules rules,
                                              std::string /*caller*/) {
  const Status known = co_await keys_.refresh(false);
  if (!known.ok()) co_return known.error();
  Result<AccessToken> judged = judge_token(token, keys_.keys(), rules, clock_.since_1970());
  if (judged.ok()) co_return judged;
  const Status anew = co_await keys_.refresh(true);
  if (!anew.ok()) co_return judged;
  co_return judge_token(token, keys_.keys(), rules, clock_.since_1970());
}

}  // namespace plumbline::auth
