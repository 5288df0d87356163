// What revisions may be called.

#pragma once

#include <algorithm>
#include <string_view>

#include "conformance/catalogue/revisions.h"

namespace plumbline::conformance {

// is_no_revision returns whether no revision is called so: those up to ours are known, and later
// ones and drafts may come.
constexpr bool is_no_revision(std::string_view name) {
  constexpr std::string_view kForm = "0000-00-00";
  if (name.starts_with("DRAFT") || name.starts_with("draft")) return false;
  const bool dated = std::ranges::equal(
      name, kForm, [](char c, char form) { return form == '-' ? c == '-' : c >= '0' && c <= '9'; });
  if (!dated) return true;
  return name < kRevisions.back() && std::ranges::find(kRevisions, name) == kRevisions.end();
}

}  // namespace plumbline::conformance
