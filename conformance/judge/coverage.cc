#include "conformance/judge/coverage.h"

#include <algorithm>

#include "conformance/checks/auth/check.h"
#include "conformance/checks/client/scenarios.h"
#include "conformance/checks/server/check.h"
#include "conformance/oracles/oracle.h"

namespace plumbline::conformance {

namespace {

std::string_view era_of(const Requirement& rule) {
  return is_stateless(rule.since) ? "stateless" : "stateful";
}

bool has_server_check(const Requirement& rule) {
  const Eras other = is_stateless(rule.since) ? Eras::kStateful : Eras::kStateless;
  return std::ranges::any_of(all_server_checks(), [&](const ServerCheck& check) {
    return check.id == rule.id && check.eras != other;
  });
}

bool has_client_check(const Requirement& rule) {
  const bool by_rule = std::ranges::any_of(
      all_client_rules(), [&](const ClientRule& check) { return check.id == rule.id; });
  return by_rule ||
         std::ranges::any_of(all_client_scenarios(), [&](const ClientScenario& scenario) {
           return std::ranges::find(scenario.ids, rule.id) != scenario.ids.end();
         });
}

bool has_auth_check(const Requirement& rule) {
  return std::ranges::find(all_auth_checks(), rule.id, &AuthCheck::id) != all_auth_checks().end();
}

// excuse_row returns what the record says of `who`, nullptr when it excuses nobody.
const Unjudged* excuse_row(const Requirement& rule, std::string_view who) {
  for (const Unjudged& row : unjudged()) {
    if (row.id == rule.id && row.role == who && row.era == era_of(rule)) return &row;
  }
  return nullptr;
}

}  // namespace

bool is_judged(const Requirement& rule, std::string_view who) {
  if (!rule.binds(who)) return false;
  const bool by_oracle = std::ranges::any_of(all_oracles(), [&](const Oracle& oracle) {
    return oracle.id == rule.id && oracle.role == who;
  });
  if (who == "authorization-server") return by_oracle || has_auth_check(rule);
  return by_oracle || (who == "server" ? has_server_check(rule) : has_client_check(rule));
}

std::string_view excuse_for(const Requirement& rule, std::string_view who) {
  const Unjudged* const row = excuse_row(rule, who);
  return row == nullptr ? std::string_view() : row->why;
}

bool can_be_broken(const Requirement& rule, std::string_view who) {
  if (!rule.binds(who) || !rule.observable) return false;
  const Unjudged* const row = excuse_row(rule, who);
  return row == nullptr || row->counts();
}

Coverage coverage_of(std::string_view who, std::string_view revision, bool should) {
  Coverage coverage;
  for (const Requirement& rule : requirements()) {
    const bool level = should ? rule.level.starts_with("SHOULD") : rule.must();
    if (!level || !can_be_broken(rule, who)) continue;
    if (!revision.empty() && !rule.holds_in(revision)) continue;
    ++coverage.rules;
    coverage.judged += is_judged(rule, who) ? 1 : 0;
  }
  return coverage;
}

}  // namespace plumbline::conformance
