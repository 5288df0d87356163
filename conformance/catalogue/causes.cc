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
    {"schema.schemas-valid", "tools.input-schema-valid"},
};

// Rules about every message: where another rule fails for the same message that was told or asked,
// it says better what is wrong with it.
constexpr std::string_view kOfEveryMessage[] = {"schema.messages-validate"};

// judged_in returns the message that a row is about, if that is a notification or a request; null:
// none. A list has room for more than one mistake.
const Json* judged_in(const CheckResult& row) {
  const auto found = std::ranges::find_if(row.evidence, &Evidence::judged);
  if (found == row.evidence.end() || find(found->message, "method") == nullptr) return nullptr;
  return &found->message;
}

// specific_cause returns the rule that fails for the very message that `row` is about; empty: none.
std::string_view specific_cause(const std::vector<CheckResult>& rows, const CheckResult& row) {
  const Json* const judged = judged_in(row);
  if (judged == nullptr) return {};
  const auto found = std::ranges::find_if(rows, [&](const CheckResult& other) {
    const Json* const its = judged_in(other);
    return other.id != row.id && other.verdict == Verdict::kFail && its != nullptr &&
           *its == *judged && other.revision == row.revision && other.server == row.server;
  });
  return found == rows.end() ? std::string_view() : std::string_view(found->id);
}

}  // namespace

std::string_view cause_of(std::string_view id) {
  const auto* const found =
      std::ranges::find(kCauses, id, &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(kCauses) ? std::string_view() : found->second;
}

void name_causes(std::vector<CheckResult>& rows) {
  for (CheckResult& row : rows) {
    if (row.verdict == Verdict::kFail &&
        std::ranges::find(kOfEveryMessage, row.id) != std::end(kOfEveryMessage)) {
      row.because = specific_cause(rows, row);
      continue;
    }
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
