#include <algorithm>
#include <vector>

#include "conformance/catalogue/records.h"
#include "conformance/checks/gateway/check.h"
#include "core/base/check.h"

namespace plumbline::conformance {

namespace {

// Those that a wrong gateway may not get over stand last.
constexpr GatewayChecks (*kPages[])() = {
    passing_checks, size_checks,       one_call_checks, leaving_checks, definition_checks,
    result_checks,  session_id_checks, session_checks,  apart_checks,   asking_checks,
    header_checks,  form_checks,       version_checks,  stream_checks,  both_ends_checks,
    trouble_checks, repeated_checks,   kept_checks,     odd_checks,     reach_checks,
    unknown_checks, variant_checks,    last_checks};

}  // namespace

const Requirement* GatewayCheck::rule_in(std::string_view revision) const {
  for (const Requirement& rule : gateway_rules()) {
    if (rule.id == id && rule.holds_in(revision)) return &rule;
  }
  return nullptr;
}

const Requirement& GatewayCheck::rule() const {
  const auto found = std::ranges::find(gateway_rules(), id, &Requirement::id);
  check(found != gateway_rules().end(), "a check of gateways has a rule in gateway.rules");
  return *found;
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
