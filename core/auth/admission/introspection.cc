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
      http_(loop, network, tls_) {}

Task<Result<AccessToken>> Introspection::judge(std::string token, TokenRules rules) {
  std::string digest = digest_of(token, rules);
  const auto kept = verdicts_.find(digest);
  if (kept != verdicts_.end() && loop_.now() < kept->second.until) co_return kept->second.result;
  wire::Form form;
  form.add("token", token);
  form.add("token_type_hint", "access_token");
  wire::HttpRequest request =
      authenticated(std::move(form), client_, nullptr, clock_.since_1970(), nullptr);
  const Result<wire::HttpResponse> answer = co_await http_.send(endpoint_, std::move(request));
  Result<AccessToken> judged = Error{ErrorCode::kDisconnected, "nobody answers"};
  if (answer.ok()) judged = read_introspection(answer.value(), rules, clock_.since_1970());
  if (!answer.ok()) judged = Error{ErrorCode::kDisconnected, answer.error().message};
  if (!judged.ok() && judged.error().code == ErrorCode::kDisconnected) {
    co_return Error{ErrorCode::kDisconnected, "the introspection at " + endpoint_.origin() +
                                                  endpoint_.target + ": " + judged.error().message};
  }
  keep(std::move(digest), judged);
  co_return judged;
}

// keep makes room by what ends first.
void Introspection::keep(std::string digest, const Result<AccessToken>& result) {
  Instant until = after(loop_.now(), kVerdictAgeMax);
  if (result.ok() && result.value().ends) {
    until = std::min(until, after(loop_.now(), *result.value().ends - clock_.since_1970()));
  }
  if (verdicts_.size() >= kVerdictsMax && verdicts_.count(digest) == 0) {
    verdicts_.erase(std::ranges::min_element(verdicts_, {},
                                             [](const auto& entry) { return entry.second.until; }));
  }
  verdicts_.insert_or_assign(std::move(digest), Verdict{result, until});
}

}  // namespace plumbline::auth
