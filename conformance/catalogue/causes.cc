#include "conformance/catalogue/causes.h"

#include <algorithm>
#include <utility>

namespace plumbline::conformance {

namespace {

// The rule that breaks with it, and its cause.
constexpr std::pair<std::string_view, std::string_view> kCauses[] = {
    {"stdio.batch-lines-accepted", "jsonrpc.batch-receive"},
    {"http.origin-invalid-403", "http.origin-validated"},
    {"base.support-core-components", "versioning.unsupported-version-error"},
    {"http.unsupported-version-400", "versioning.unsupported-version-error"},
    {"http.missing-meta-400", "lifecycle.missing-meta-rejected"},
    {"jsonrpc.error-id-matches", "jsonrpc.response-id-matches"},
};

}  // namespace

std::string_view cause_of(std::string_view id) {
  const auto* const found =
      std::ranges::find(kCauses, id, &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(kCauses) ? std::string_view() : found->second;
}

void name_causes(std::vector<CheckResult>& rows) {
  for (CheckResult& row : rows) {
    const std::string_view cause = cause_of(row.id);
    if (row.verdict != Verdict::kFail || cause.empty()) continue;
    const bool broken = std::ranges::any_of(rows, [&](const CheckResult& other) {
      return other.id == cause && other.verdict == Verdict::kFail &&
             other.revision == row.revision && other.server == row.server;
    });
    if (broken) row.because = cause;
  }
}

}  // namespace plumbline::conformance
