#include <utility>
#include <vector>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/gateway/check.h"

namespace plumbline::conformance {

namespace {

// What of the pages the stateless revision has elsewhere.
constexpr std::pair<std::string_view, std::string_view> kMoved[] = {
    {"basic/lifecycle#initialization", "server/discover#discoverresult"},
    {"basic/lifecycle#capability-negotiation", "basic/index#_meta"},
    {"basic/transports#streamable-http", "basic/transports/streamable-http"},
    {"basic/transports#sending-messages-to-the-server",
     "basic/transports/streamable-http#receiving-messages"},
    {"basic/transports#protocol-version-header",
     "basic/transports/streamable-http#protocol-version-header"},
    {"basic/utilities/progress#progress-flow", "basic/patterns/progress#progress-flow"},
    {"basic/utilities/progress#behavior-requirements",
     "basic/patterns/progress#behavior-requirements"},
    {"basic/authorization#access-token-privilege-restriction",
     "basic/authorization/index#token-handling"},
    {"basic/utilities/cancellation#cancellation-flow",
     "basic/patterns/cancellation#cancellation-flow"},
};

// Those that a wrong gateway may not get over stand last.
constexpr GatewayChecks (*kPages[])() = {
    passing_checks, definition_checks, result_checks,  session_checks, apart_checks,
    header_checks,  form_checks,       version_checks, stream_checks,  both_ends_checks,
    trouble_checks, repeated_checks,   kept_checks,    last_checks};

}  // namespace

std::string_view GatewayCheck::page_in(std::string_view revision) const {
  if (!is_stateless(revision)) return page;
  for (const auto& [before, now] : kMoved) {
    if (before == page) return now;
  }
  return page;
}

GatewayChecks all_gateway_checks() {
  static const std::vector<GatewayCheck> all = [] {
    std::vector<GatewayCheck> checks;
    for (const auto page : kPages) checks.insert(checks.end(), page().begin(), page().end());
    return checks;
  }();
  return all;
}

}  // namespace plumbline::conformance
