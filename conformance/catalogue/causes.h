// What is the same mistake to whoever has to mend it: rules that cannot be kept while another one
// is broken.

#pragma once

#include <string_view>
#include <vector>

#include "core/events/check_result.h"

namespace plumbline::conformance {

// cause_of returns the rule whose failure breaks rule `id` with it; empty: it stands for itself.
std::string_view cause_of(std::string_view id);

// name_causes fills in `because` of the rows that fail where their cause fails in the same
// revision.
void name_causes(std::vector<CheckResult>& rows);

}  // namespace plumbline::conformance
