// Introspection judges access tokens by asking who gave them out: tokens that say nothing by
// themselves.
//
// Source: RFC 7662.

#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/auth/admission/fair_turns.h"
#include "core/auth/admission/token_judge.h"
#include "core/auth/document_client.h"
#include "core/auth/steps/client.h"
#include "core/base/doors/wall_clock.h"
#include "core/base/loop.h"
#include "core/net/network.h"
#include "core/wire/url.h"

namespace plumbline::auth {

// read_introspection returns what an introspection response says of a token when that is good at
// `since_1970`, by a minute more or less. kInvalidInput: it is not, and why; one that does not say
// whom it is for is not. kDisconnected: it is no such response.
//
// Source: RFC 7662, section 2.2. Spec 2025-11-25, basic/authorization, Token Handling (MUST
// validate the audience).
Result<AccessToken> read_introspection(const wire::HttpResponse& answer, const TokenRules& rules,
                                       Duration since_1970);

class Introspection final : public TokenJudge {
 public:
  // `endpoint` has been judged by allowed_url; `client` is what we are there, with a secret. The
  // rest must outlive it.
  Introspection(Loop& loop, net::Network& network, const WallClock& clock, wire::Url endpoint,
                Client client);

  // implements TokenJudge ---
  //
  // A verdict is kept for half a minute, a good one no longer than its token lasts: so long one
  // that was revoked comes in. Of the last 1000 good and the last 1000 bad tokens, by their
  // digests.
  //
  // Callers take turns in asking, and those whose token was good before do not wait for those who
  // bring new ones: who makes tokens up is slow, and nobody else is.
  Task<Result<AccessToken>> judge(std::string token, TokenRules rules, std::string caller) override;

 private:
  struct Verdict {
    Result<AccessToken> result;
    Instant until;
  };
  using Verdicts = std::map<std::string, Verdict>;  // By digests of tokens.

  // kept returns the verdict of a token that holds now; nothing: it is to be asked for.
  std::optional<Result<AccessToken>> kept(const std::string& digest) const;
  Task<Result<AccessToken>> ask(std::string token, TokenRules rules);
  void keep(const std::string& digest, const Result<AccessToken>& result);

  Loop& loop_;
  const WallClock& clock_;
  wire::Url endpoint_;
  Client client_;
  net::TlsClient tls_;
  DocumentClient http_;
  Verdicts good_;  // One that is over has been good: it is asked for out of turn.
  Verdicts bad_;
  FairTurns turns_;
  FairTurns known_turns_;
};

}  // namespace plumbline::auth
