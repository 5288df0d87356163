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
    {"jsonrpc.version-is-2.0", "jsonrpc.conforms-to-2-0"},
    {"lifecycle.client-sends-initialize", "base.core-and-lifecycle-supported"},
    {"http.session-id-echoed", "http.header-names-case-insensitive"},
    {"http.session-delete", "http.header-names-case-insensitive"},
    {"http.session-404-reinitialize", "http.header-names-case-insensitive"},
    {"http.mcp-name-base64", "http.mcp-name-header"},
    {"tasks.mcp-name-header", "http.mcp-name-header"},
    {"http.base64-sentinel-exact", "http.param-value-base64-unsafe"},
    {"mrtr.request-state-opaque", "mrtr.request-state-echo"},
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
