#include "conformance/catalogue/selection.h"

#include <algorithm>

namespace plumbline::conformance {

bool has(Eras eras, std::string_view revision) {
  return eras == Eras::kBoth || (eras == Eras::kStateless) == is_stateless(revision);
}

bool Selection::skips(std::string_view id) const {
  return std::ranges::find(skip, id) != skip.end();
}

bool Selection::wants(const Requirement& rule) const {
  if (!only.empty()) return std::ranges::find(only, rule.id) != only.end();
  if (skips(rule.id)) return false;
  if (levels == Levels::kAll) return true;
  return rule.must() || (levels == Levels::kShould && rule.level.starts_with("SHOULD"));
}

}  // namespace plumbline::conformance
