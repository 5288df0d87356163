#include "conformance/quality/rules.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "conformance/catalogue/columns.h"
#include "conformance/catalogue/tables.h"

namespace plumbline::conformance {

std::span<const QualityRule> quality_rules() {
  static const std::vector<QualityRule> kRules = [] {
    std::vector<QualityRule> rules;
    Columns columns(table_text("rules.tsv"));
    while (columns.next_line()) {
      QualityRule& rule = rules.emplace_back();
      rule.id = columns.next();
      rule.part = columns.next();
      rule.level = columns.next();
      rule.limit = std::strtod(std::string(columns.next()).c_str(), nullptr);
      rule.rule = columns.next();
      rule.why = columns.next();
      rule.advice = columns.next();
      rule.source = columns.next();
    }
    return rules;
  }();
  return kRules;
}

const QualityRule* find_quality_rule(std::string_view id) {
  const auto rules = quality_rules();
  const auto found = std::ranges::find(rules, id, &QualityRule::id);
  return found == rules.end() ? nullptr : &*found;
}

}  // namespace plumbline::conformance
