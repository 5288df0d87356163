#include "conformance/catalogue/selection.h"

#include <algorithm>

namespace plumbline::conformance {

namespace {

constexpr std::string_view kSpan = "..";

bool is_revision(std::string_view text) {
  return std::ranges::find(kRevisions, text) != kRevisions.end();
}

}  // namespace

bool has(Eras eras, std::string_view revision) {
  return eras == Eras::kBoth || (eras == Eras::kStateless) == is_stateless(revision);
}

bool is_asked(std::string_view asked, std::string_view revision) {
  if (asked == "all" || asked == "auto") return true;
  const std::size_t dots = asked.find(kSpan);
  if (dots == std::string_view::npos) return asked == revision;
  const std::string_view last = asked.substr(dots + kSpan.size());
  return asked.substr(0, dots) <= revision && (last.empty() || revision <= last);
}

bool is_one(std::string_view asked) { return is_revision(asked); }

bool is_revision_text(std::string_view asked) {
  if (asked == "all" || asked == "auto" || is_revision(asked)) return true;
  const std::size_t dots = asked.find(kSpan);
  if (dots == std::string_view::npos) return false;
  const std::string_view first = asked.substr(0, dots);
  const std::string_view last = asked.substr(dots + kSpan.size());
  const bool ends = (first.empty() || is_revision(first)) && (last.empty() || is_revision(last));
  return ends && !(first.empty() && last.empty()) && (last.empty() || first <= last);
}

bool Selection::skips(std::string_view id) const {
  return std::ranges::find(skip, id) != skip.end();
}

bool Selection::wants_id(std::string_view id) const {
  return only.empty() ? !skips(id) : std::ranges::find(only, id) != only.end();
}

bool Selection::wants(const Requirement& rule) const {
  if (!only.empty()) return std::ranges::find(only, rule.id) != only.end();
  if (skips(rule.id)) return false;
  if (levels == Levels::kAll) return true;
  return rule.must() || (levels == Levels::kShould && rule.level.starts_with("SHOULD"));
}

}  // namespace plumbline::conformance
