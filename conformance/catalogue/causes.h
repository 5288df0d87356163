// What is the same mistake to whoever has to mend it: rules that cannot be kept while another one
// is broken.

#pragma once

#include <string_view>
#include <vector>

#include "core/events/check_result.h"

namespace plumbline::conformance {

// causes_of returns the rules whose failure breaks rule `id` with it, where that is broken as
// `message` says; none: it stands for itself.
std::vector<std::string_view> causes_of(std::string_view id, std::string_view message = {});

// name_causes fills in `because` of the rows that fail, or warn, where a cause of theirs does so in
// the same revision: with the first cause of all, and for a failure with one that fails. What is
// missing in any revision brings that it is missing in those that the server accepts besides.
void name_causes(std::vector<CheckResult>& rows);

}  // namespace plumbline::conformance
