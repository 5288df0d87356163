#include "core/auth/admission/introspection.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/auth/steps/grant.h"
#include "core/auth/steps/metadata.h"
#include "core/base/sha256.h"
#include "core/base/text.h"

namespace plumbline::auth {

namespace {

constexpr std::size_t kVerdictsMax = 1000;
constexpr Duration kVerdictAgeMax = std::chrono::seconds(30);

std::string digest_of(const std::string& token, const TokenRules& rules) {
  Sha256 hash;
  hash.update(rules.issuer + "\n" + rules.audience + "\n");
  hash.update(token);
  return hash.finish();
}

}  // namespace

Result<AccessToken> read_introspection(const wire::HttpResponse& answer, const TokenRules& rules,
                                       Duration since_1970) {
  if (answer.status != 200) {
    return Error{ErrorCode::kDisconnected, "it is refused: " + refusal_of(answer)};
  }
  const Result<Json> document = read_document(answer.body);
  if (!document.ok()) return Error{ErrorCode::kDisconnected, document.error().message};
  const Json& said = document.value();
  const Json* const active = find(said, "active");
  if (active == nullptr || !active->is_boolean()) {
    return Error{ErrorCode::kDisconnected, "the answer does not say whether the token is active"};
  }
  if (*active == Json(false)) return Error{ErrorCode::kInvalidInput, "it is not active"};
  if (!equals_ignoring_case(string_or(said, "token_type", "Bearer"), "Bearer")) {
    return Error{ErrorCode::kInvalidInput, "it is no Bearer token"};
  }
  return read_claims(said, rules, Claims::kIntrospected, since_1970);
}

Introspection::Introspection(Loop& loop, net::Network& network, const WallClock& clock,
                             wire::Url endpoint, Client client)
    : loop_(loop),
      clock_(clock),
      endpoint_(std::move(endpoint)),
      client_(std::move(client)),
      http_(loop, network, tls_),
      turns_(loop),
      known_turns_(loop) {}

std::optional<Result<AccessToken>> Introspection::kept(const std::string& digest) const {
  for (const Verdicts* const verdicts : {&good_, &bad_}) {
    const auto found = verdicts->find(digest);
    if (found != verdicts->end() && loop_.now() < found->second.until) return found->second.result;
  }
  return std::nullopt;
}

Task<Result<AccessToken>> Introspection::judge(std::string token, TokenRules rules,
                                               std::string caller) {
  const std::string digest = digest_of(token, rules);
  if (const auto verdict = kept(digest)) co_return *verdict;
  FairTurns& turns = good_.contains(digest) ? known_turns_ : turns_;
  const std::optional<FairTurns::Turn> turn = co_await turns.take(std::move(caller));
  if (!turn) {
    co_return Error{ErrorCode::kLimitReached,
                    "too many new tokens come from there at once: try again in a while"};
  }
  // The same token may have been judged meanwhile.
  if (const auto verdict = kept(digest)) co_return *verdict;
  const Result<AccessToken> judged = co_await ask(std::move(token), std::move(rules));
  if (judged.ok() || judged.error().code == ErrorCode::kInvalidInput) keep(digest, judged);
  co_return judged;
}

Task<Result<AccessToken>> Introspection::ask(std::string token, TokenRules rules) {
  wire::Form form;
  form.add("token", token);
  form.add("token_type_hint", "access_token");
  wire::HttpRequest request =
      authenticated(std::move(form), client_, nullptr, clock_.since_1970(), nullptr);
  const Result<wire::HttpResponse> answer = co_await http_.send(endpoint_, std::move(request));
  Result<AccessToken> judged = Error{ErrorCode::kDisconnected, "nobody answers"};
  if (answer.ok()) judged = read_introspection(answer.value(), rules, clock_.since_1970());
  if (!answer.ok()) judged = Error{ErrorCode::kDisconnected, answer.error().message};
  if (judged.ok() || judged.error().code != ErrorCode::kDisconnected) co_return judged;
  co_return Error{ErrorCode::kDisconnected, "the introspection at " + endpoint_.origin() +
                                                endpoint_.target + ": " + judged.error().message};
}

// keep makes room by what ends first.
void Introspection::keep(const std::string& digest, const Result<AccessToken>& result) {
  Instant until = after(loop_.now(), kVerdictAgeMax);
  if (result.ok() && result.value().ends) {
    until = std::min(until, after(loop_.now(), *result.value().ends - clock_.since_1970()));
  }
  Verdicts& into = result.ok() ? good_ : bad_;
  (result.ok() ? bad_ : good_).erase(digest);
  if (into.size() >= kVerdictsMax && !into.contains(digest)) {
    into.erase(
        std::ranges::min_element(into, {}, [](const auto& entry) { return entry.second.until; }));
  }
  into.insert_or_assign(digest, Verdict{result, until});
}

}  // namespace plumbline::auth
